// Package imports holds the import table of the design: which module may be built from what. It has no code of its own;
// its test asks the go command for whole dependency graphs, so that an indirect import counts too.
package imports
