package main

// targets is the decisive code: where one wrong condition turns into a wrong verdict, an accepted forgery or a guessed answer.
var targets = []target{}
