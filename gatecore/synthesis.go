package gatecore

import (
	"errors"
	"fmt"
	"math"
)

// Errors of Synthesize and Thresholds.Validate, matched with errors.Is.
var (
	ErrAnswer     = errors.New("gatecore: answer missing or out of range")
	ErrThresholds = errors.New("gatecore: thresholds out of range")
)

// Thresholds place the model's two answers on the way to a verdict.
// The zero value is invalid; start from DefaultThresholds.
type Thresholds struct {
	Noul   float64 // at or above it "may run" is true; at or below 1-Noul it is false; 0.5 < Noul ≤ 1
	AskAt  float64 // a score from here on asks; 2 ≤ AskAt ≤ DenyAt
	DenyAt float64 // a score from here on denies; ≤ 10
}

// DefaultThresholds returns 0.65, 4 and 7.
func DefaultThresholds() Thresholds { return Thresholds{Noul: 0.65, AskAt: 4, DenyAt: 7} }

// Validate reports every threshold that is out of range in one error that wraps ErrThresholds.
func (t Thresholds) Validate() error {
	var errs []error
	if !(t.Noul > 0.5 && t.Noul <= 1) {
		errs = append(errs, fmt.Errorf("%w: noul threshold %v is not above 0.5 and at most 1", ErrThresholds, t.Noul))
	}
	if !(t.AskAt >= 2 && t.AskAt <= 10) {
		errs = append(errs, fmt.Errorf("%w: ask_at %v is not from 2 to 10", ErrThresholds, t.AskAt))
	}
	if !(t.DenyAt >= 2 && t.DenyAt <= 10) {
		errs = append(errs, fmt.Errorf("%w: deny_at %v is not from 2 to 10", ErrThresholds, t.DenyAt))
	}
	if t.AskAt > t.DenyAt {
		errs = append(errs, fmt.Errorf("%w: ask_at %v is above deny_at %v", ErrThresholds, t.AskAt, t.DenyAt))
	}
	return errors.Join(errs...)
}

// Answers are what the model said about one command.
type Answers struct {
	Noul  float64 // probability of "this command may run without a person looking at it", 0 to 1
	Score float64 // how risky it is, 2 to 10
}

// Synthesize merges the model's answers into a verdict: the strictest channel
// wins, Undecided means ask. It is pure and total. Anything missing, not finite or out
// of range is an error, wrapping ErrAnswer or ErrThresholds, with the verdict Deny.
func Synthesize(a Answers, t Thresholds) (Verdict, error) {
	if err := t.Validate(); err != nil {
		return Deny, err
	}
	if !(a.Noul >= 0 && a.Noul <= 1) {
		return Deny, fmt.Errorf("%w: noul %v is not from 0 to 1", ErrAnswer, a.Noul)
	}
	if !(a.Score >= 2 && a.Score <= 10) {
		return Deny, fmt.Errorf("%w: score %v is not from 2 to 10", ErrAnswer, a.Score)
	}
	state := noulState(a.Noul, t)
	switch {
	case state == noulFalse || a.Score >= t.DenyAt:
		return Deny, nil
	case state == noulWavering || a.Score >= t.AskAt:
		return Undecided, nil
	}
	return Allow, nil
}

const (
	noulFalse    = "false"
	noulWavering = "wavering"
	noulTrue     = "true"
)

// NoulState returns "true", "wavering" or "false" for a probability. What is out of range,
// the thresholds included, is "false".
func NoulState(p float64, t Thresholds) string {
	if t.Validate() != nil || !(p >= 0 && p <= 1) {
		return noulFalse
	}
	return noulState(p, t)
}

// noulState tests the lower bound first. The bound is computed in ten-thousandths,
// because 1-0.65 in binary is below 0.35 and would make 0.35 waver.
func noulState(p float64, t Thresholds) string {
	low := (10000 - math.Round(t.Noul*10000)) / 10000
	switch {
	case p <= low:
		return noulFalse
	case p >= t.Noul:
		return noulTrue
	}
	return noulWavering
}
