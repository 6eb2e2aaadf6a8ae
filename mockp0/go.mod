module github.com/phocinae/phocinae-go/mockp0

go 1.26.0

require (
	github.com/matryer/is v1.4.1
	go.uber.org/goleak v1.3.0
)
