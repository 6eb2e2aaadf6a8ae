package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"github.com/phocinae/phocinae-go/phocinae-mcp/internal/demo"
)

type demoCommand struct{}

// Run plays the demonstration with this very program.
func (demoCommand) Run(p *Process) error {
	exe := p.executable()
	if exe == "" {
		return &exitError{1, "the path of this program is unknown; start it by its path"}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := demo.Run(ctx, exe, p.Out, &demo.Options{Colours: p.colours(p.Out)})
	switch {
	case errors.Is(err, demo.ErrUnexpected):
		return &exitError{status: 1}
	case err != nil:
		return &exitError{1, err.Error()}
	}
	return nil
}
