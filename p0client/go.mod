module github.com/phocinae/phocinae-go/p0client

go 1.26.0

require (
	github.com/go-json-experiment/json v1.27.2
	github.com/matryer/is v1.4.1
	go.uber.org/goleak v1.3.0
	golang.org/x/sync v0.25.0
	golang.org/x/time v0.16.0
)
