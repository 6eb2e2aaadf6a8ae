package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// errUnable reports a server that does not speak what a scenario needs, such as an era.
var errUnable = errors.New("the server does not serve this")

// sample is what one round of one scenario found.
type sample struct {
	cold           time.Duration // start of the process to its first answer
	p50, p99, p999 time.Duration
	perSecond      float64
	cpu            time.Duration // user and system time a call, the server's only
	peak           float64       // MiB of resident memory
}

// scenario is one way of driving a server.
type scenario struct {
	name string
	http bool
	hook bool
	era  era
	run  func(context.Context, server) (sample, error)
}

func (sc scenario) suits(s server) bool {
	if sc.http {
		return s.http != nil
	}
	if sc.hook {
		return s.hook != nil
	}
	return s.stdio != nil
}

func scenarios(o options) []scenario {
	var all []scenario
	for _, e := range []era{legacy, modern} {
		all = append(all,
			scenario{name: "stdio cold start, " + e.String(), era: e, run: func(ctx context.Context, s server) (sample, error) {
				return medianOf(func() (sample, error) { return coldStart(ctx, s, e) })
			}},
			scenario{name: "stdio sequential, " + e.String(), era: e, run: func(ctx context.Context, s server) (sample, error) {
				return overStdio(ctx, s, e, o.calls, 1)
			}},
			scenario{name: "stdio pipelined, " + e.String(), era: e, run: func(ctx context.Context, s server) (sample, error) {
				return overStdio(ctx, s, e, o.calls*2, 64)
			}},
		)
	}
	all = append(all, scenario{name: "hook, a process for every command", hook: true, run: func(ctx context.Context, s server) (sample, error) {
		return medianOf(func() (sample, error) { return oneShot(ctx, s) })
	}})
	all = append(all, scenario{name: fmt.Sprintf("stdio memory after %d calls", o.memoryCalls), era: legacy, run: func(ctx context.Context, s server) (sample, error) {
		return overStdio(ctx, s, legacy, o.memoryCalls, 8)
	}})
	for _, e := range []era{legacy, modern} {
		for _, connections := range []int{1, 16, 64} {
			all = append(all, scenario{name: fmt.Sprintf("HTTP %d connections, %s", connections, e), http: true, era: e, run: func(ctx context.Context, s server) (sample, error) {
				return overHTTP(ctx, s, e, o.calls, connections)
			}})
		}
	}
	return all
}
