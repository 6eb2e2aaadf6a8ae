package main

import (
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func save(t *testing.T, paint func(x, y int) color.Color) string {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, 100, 100))
	for y := range 100 {
		for x := range 100 {
			img.Set(x, y, paint(x, y))
		}
	}
	name := filepath.Join(t.TempDir(), "p.png")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, img); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestLookRefusesBlankPictures(t *testing.T) {
	white := save(t, func(int, int) color.Color { return color.White })
	if _, err := look(white, image.Pt(100, 100)); err == nil || !strings.Contains(err.Error(), "blank") {
		t.Fatalf("a white picture passed: %v", err)
	}
	many := save(t, func(x, y int) color.Color { return color.Gray{Y: uint8(x + y)} })
	v, err := look(many, image.Pt(100, 100))
	if err != nil || v.colours < 150 || v.brightness < 0.3 || v.brightness > 0.5 {
		t.Fatalf("a full picture: %+v %v", v, err)
	}
	if _, err := look(many, image.Pt(200, 100)); err == nil {
		t.Fatal("a narrow picture passed")
	}
	if _, err := look(many+"x", image.Pt(1, 1)); err == nil {
		t.Fatal("a missing picture passed")
	}
}

func TestMissingBrowserIsSaid(t *testing.T) {
	t.Setenv("CHROMIUM", "")
	t.Setenv("PATH", t.TempDir())
	_, err := findBrowser()
	if err == nil || !strings.Contains(err.Error(), "install Chromium") {
		t.Fatalf("want a word on what is missing, got %v", err)
	}
}
