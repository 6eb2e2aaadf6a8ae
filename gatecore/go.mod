module github.com/phocinae/phocinae-go/gatecore

go 1.26.0

require (
	github.com/google/go-cmp v0.7.0
	github.com/matryer/is v1.4.1
	mvdan.cc/sh/v3 v3.14.1
)
