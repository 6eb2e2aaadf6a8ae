package mcpproto

import (
	"bytes"
	"sync/atomic"
)

// MetaCache remembers the last capabilities and client info that were decoded, since a client sends the same ones in
// every request. It never changes an outcome: equal bytes give equal values. The zero value is ready; it is safe for
// concurrent use. What it returns is shared and must not be changed.
type MetaCache struct{ last atomic.Pointer[cachedMeta] }

// maxCachedMeta bounds what one cache keeps alive.
const maxCachedMeta = 4 << 10

type cachedMeta struct {
	rawCaps, rawClient []byte
	caps               *ClientCapabilities
	client             Implementation
}

func (c *MetaCache) read(meta *Meta, r *RequestMeta) *Error {
	if c != nil {
		if l := c.last.Load(); l != nil && bytes.Equal(l.rawCaps, meta.capabilities) &&
			bytes.Equal(l.rawClient, meta.client) {
			r.Capabilities, r.Client = l.caps, l.client
			return nil
		}
	}
	var e *Error
	if r.Capabilities, e = ParseCapabilities(meta.capabilities); e != nil {
		return e
	}
	if meta.client != nil {
		if r.Client, e = ParseImplementation(meta.client); e != nil {
			return e
		}
	}
	if c != nil && len(meta.capabilities)+len(meta.client) <= maxCachedMeta {
		c.last.Store(&cachedMeta{
			bytes.Clone(meta.capabilities), bytes.Clone(meta.client), r.Capabilities, r.Client,
		})
	}
	return nil
}
