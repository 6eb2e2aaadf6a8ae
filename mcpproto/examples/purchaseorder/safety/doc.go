// Package safety holds two patterns that keep a change from happening by accident, for any domain: a phase gate in code (a
// change needs the sealed handle of its preview) and a structured audit of every call. It knows nothing of what is changed.
package safety
