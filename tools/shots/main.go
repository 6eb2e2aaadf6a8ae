// Command shots takes pictures of HTML pages with headless Chromium, in the light and in the dark colour scheme, and
// looks at the pictures: a page that comes out empty, or that does not change with the scheme, fails.
//
//	go run ./shots [-out DIR] PAGE.html…
//
// Without a page it makes the audit report of a made-up week first, in English and in Chinese, with the generator of
// phocinae-mcp/internal/audit's tests, and takes pictures of that. CHROMIUM names the browser; otherwise chromium,
// chromium-browser, google-chrome and chrome are looked for. Without a browser it fails and says what is missing.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	out := flag.String("out", "", "folder for the pictures (default: a new temporary one)")
	width := flag.Int("width", 1180, "width of the window in pixels")
	height := flag.Int("height", 2900, "height of the window in pixels")
	flag.Parse()
	if err := run(*out, image.Pt(*width, *height), flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "shots:", err)
		os.Exit(1)
	}
}

func run(out string, size image.Point, pages []string) error {
	browser, err := findBrowser()
	if err != nil {
		return err
	}
	if out == "" {
		if out, err = os.MkdirTemp("", "shots"); err != nil {
			return err
		}
	}
	if out, err = filepath.Abs(out); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o750); err != nil {
		return err
	}
	if len(pages) == 0 {
		if pages, err = reports(out); err != nil {
			return err
		}
	}
	var problems []error
	for _, page := range pages {
		problems = append(problems, shoot(browser, page, out, size))
	}
	return errors.Join(problems...)
}

func findBrowser() (string, error) {
	names := []string{"chromium", "chromium-browser", "google-chrome", "chrome"}
	if name := os.Getenv("CHROMIUM"); name != "" {
		names = []string{name}
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("no browser: none of %s is on PATH; install Chromium or set CHROMIUM", strings.Join(names, ", "))
}

// reports makes the pages with the generator that lives in the tests of the audit package.
func reports(out string) ([]string, error) {
	root, err := exec.CommandContext(context.Background(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/phocinae/phocinae-go/phocinae-mcp").Output()
	if err != nil {
		return nil, fmt.Errorf("find phocinae-mcp (run in the tools folder): %w", err)
	}
	cmd := exec.CommandContext(context.Background(), "go", "test", "-count=1", "-run", "^TestReportIsOneSafePage$", "./internal/audit")
	cmd.Dir = strings.TrimSpace(string(root))
	cmd.Env = append(os.Environ(), "AUDIT_REPORT_DIR="+out)
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("make the report: %w\n%s", err, text)
	}
	return []string{filepath.Join(out, "report-en.html"), filepath.Join(out, "report-zh.html")}, nil
}

// schemes are the colour schemes and Chromium's switches for them.
var schemes = []struct {
	name  string
	flags []string
}{
	{"light", []string{"--blink-settings=preferredColorScheme=1"}},
	{"dark", []string{"--blink-settings=preferredColorScheme=0", "--force-dark-mode"}},
}

// shoot takes both pictures of one page and compares them.
func shoot(browser, page, out string, size image.Point) error {
	path, err := filepath.Abs(page)
	if err != nil {
		return err
	}
	if _, err := os.Stat(path); err != nil {
		return err
	}
	brightness := map[string]float64{}
	for _, scheme := range schemes {
		name := strings.TrimSuffix(filepath.Base(path), ".html") + "-" + scheme.name + ".png"
		name = filepath.Join(out, name)
		if err := picture(browser, path, name, size, scheme.flags); err != nil {
			return err
		}
		l, err := look(name, size)
		if err != nil {
			return err
		}
		fmt.Printf("%s: %d colours, %.0f %% background, brightness %.2f\n", name, l.colours, 100*l.largest, l.brightness)
		brightness[scheme.name] = l.brightness
	}
	if brightness["light"] < 0.6 || brightness["dark"] > 0.4 {
		return fmt.Errorf("%s: the page does not follow the colour scheme: brightness %.2f light, %.2f dark", page, brightness["light"], brightness["dark"])
	}
	return nil
}

func picture(browser, page, name string, size image.Point, flags []string) error {
	profile, err := os.MkdirTemp("", "shots-profile")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(profile) }()
	if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err // an old picture must not pass for a new one
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(page)}
	args := append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--user-data-dir=" + profile,
		fmt.Sprintf("--window-size=%d,%d", size.X, size.Y), "--screenshot=" + name,
	}, flags...)
	if text, err := exec.CommandContext(ctx, browser, append(args, address.String())...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", browser, err, text)
	}
	return nil
}

// view is what can be said of a picture without eyes.
type view struct {
	colours    int     // different colours
	largest    float64 // share of the commonest
	brightness float64 // of the picture on average, 0 to 1
}

// look reads a picture and refuses an empty one.
func look(name string, size image.Point) (view, error) {
	f, err := os.Open(name)
	if err != nil {
		return view{}, fmt.Errorf("the browser left no picture: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	img, err := png.Decode(f)
	if err != nil {
		return view{}, fmt.Errorf("%s: %w", name, err)
	}
	if got := img.Bounds().Size(); got.X < size.X {
		return view{}, fmt.Errorf("%s is %d pixels wide, not %d", name, got.X, size.X)
	}
	v := measure(img)
	if v.colours < 20 || v.largest > 0.97 {
		return view{}, fmt.Errorf("%s is blank: %d colours, %.0f %% of it one colour", name, v.colours, 100*v.largest)
	}
	return v, nil
}

func measure(img image.Image) view {
	counts := map[color.RGBA]int{}
	sum, n := 0.0, 0
	bounds := img.Bounds()
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			c := color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)
			counts[c]++
			sum += 0.2126*float64(c.R) + 0.7152*float64(c.G) + 0.0722*float64(c.B)
			n++
		}
	}
	most := 0
	for _, k := range counts {
		most = max(most, k)
	}
	if n == 0 {
		return view{}
	}
	return view{colours: len(counts), largest: float64(most) / float64(n), brightness: sum / float64(n) / 255}
}
