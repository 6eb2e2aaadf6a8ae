// Package demo plays a whole conversation: it starts the mock service in this process, runs the real program as a child over
// stdio exactly as an agent host does, prints what is said, and compares every answer with what it must be.
package demo
