// Package contract holds the proofs that need both ends of the inference protocol: p0client against mockp0. The
// two do not import each other and restate the wire shapes on purpose, so that they cannot be wrong together.
//
// There is nothing to import here. The tests are the fail-closed matrix (every fault × every call × where the
// call stands), the exact bytes of the requests, chaos, and the benchmarks of client and gate.
package contract
