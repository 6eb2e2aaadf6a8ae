// Package docs runs what the repository's documents show. It has no code of its own; its test takes every console block of
// the two READMEs, runs the commands in it with the built program, and compares what they print.
package docs
