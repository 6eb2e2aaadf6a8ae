package gatecore

import (
	"testing"

	"github.com/matryer/is"
)

func TestDataCode(t *testing.T) {
	for _, c := range []struct {
		claim    string
		destroys func(string) bool
		code     string
		want     bool
	}{
		{"a drop is seen in any case and spacing", sqlDestroys, "dRoP\n\tTaBlE users", true},
		{"a drop behind another statement", sqlDestroys, "select 1; drop database app", true},
		{"a drop behind a comment", sqlDestroys, "/* x */ DROP /* y */ SCHEMA s CASCADE", true},
		{"MySQL runs what is in its comments", sqlDestroys, "/*!50000 DROP TABLE users */", true},
		{"a literal is no statement", sqlDestroys, "SELECT 'DROP TABLE users; DELETE FROM x'", false},
		{"a doubled quote stays in the literal", sqlDestroys, "SELECT 'it''s; DROP TABLE users'", false},
		{"the literal ends at its quote", sqlDestroys, "SELECT 'it'; DROP TABLE users --'", true},
		{"a line comment is no statement", sqlDestroys, "SELECT 1 -- DROP TABLE users", false},
		{"a line comment ends with its line", sqlDestroys, "-- hi\nDROP TABLE users", true},
		{"a quoted name is no verb", sqlDestroys, `SELECT "drop" FROM "table"`, false},
		{"an alias is no verb", sqlDestroys, "SELECT a AS drop, b AS truncate FROM t", false},
		{"a function is no verb", sqlDestroys, "SELECT truncate(1.234, 2)", false},
		{"delete without where", sqlDestroys, "DELETE FROM users", true},
		{"delete with where", sqlDestroys, "DELETE FROM users WHERE id = 1", false},
		{"where in a literal is no clause", sqlDestroys, "DELETE FROM users /* WHERE id = 1 */", true},
		{"where of the next statement is not this one's", sqlDestroys, "DELETE FROM users; SELECT 1 WHERE 1=1", true},
		{"update without where", sqlDestroys, "UPDATE users SET a = 'where'", true},
		{"update with where", sqlDestroys, "UPDATE users SET a = 1 WHERE id = 2", false},
		{"select for update", sqlDestroys, "SELECT * FROM t FOR UPDATE", false},
		{"on conflict do update", sqlDestroys, "INSERT INTO t VALUES (1) ON CONFLICT (id) DO UPDATE SET a = 1", false},
		{"on delete cascade", sqlDestroys, "CREATE TABLE a (b int REFERENCES c ON DELETE CASCADE)", false},
		{"a grant is no delete", sqlDestroys, "GRANT DELETE ON t TO u", false},
		{"with … as (delete …)", sqlDestroys, "WITH x AS (DELETE FROM users RETURNING *) SELECT * FROM x", true},
		{"explain analyze runs it", sqlDestroys, "EXPLAIN ANALYZE DELETE FROM users", true},
		{"do blocks are code", sqlDestroys, "DO $$ BEGIN DROP TABLE users; END $$", true},
		{"dollar quotes are literals elsewhere", sqlDestroys, "SELECT $$ DROP TABLE users $$", false},
		{"dropping a column", sqlDestroys, "ALTER TABLE users DROP COLUMN email", true},
		{"a dot command can run a shell", sqlDestroys, ".shell rm x", true},
		{"a dot command lists", sqlDestroys, ".tables", false},
		{"flushall in any case", redisDestroys, "FlushAll ASYNC", true},
		{"a value is no command", redisDestroys, "SET note flushall", false},
		{"second line", redisDestroys, "GET a\nFLUSHDB", true},
		{"moving the dump file", redisDestroys, "CONFIG SET dir /root/.ssh", true},
		{"reading the configuration", redisDestroys, "CONFIG GET dir", false},
		{"script that flushes", redisDestroys, "EVAL \"redis.call('FLUSHALL')\" 0", true},
		{"drop database", mongoDestroys, "db.getSiblingDB('a').dropDatabase()", true},
		{"blanks around the dot hide nothing", mongoDestroys, "db.users . drop ( )", true},
		{"drop a collection, plainly", mongoDestroys, "db.users.drop()", true},
		{"delete everything", mongoDestroys, "db.users.deleteMany({ })", true},
		{"delete some", mongoDestroys, "db.users.deleteMany({a: {}})", false},
		{"a string is no call", mongoDestroys, `print("db.users.drop()")`, false},
		{"a comment is no call", mongoDestroys, "// db.users.drop()\ndb.users.find()", false},
	} {
		t.Run(c.claim, func(t *testing.T) {
			is := is.New(t)
			is.Equal(c.destroys(c.code), c.want) // destroys
		})
	}
}

func FuzzDataCode(f *testing.F) {
	for _, seed := range []string{"DROP TABLE a", "SELECT 'x", "/*", "$a$", "db.x.drop(", "a\\g", "--", "\"", "/*!"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, code string) {
		if sqlDestroys(code) != sqlDestroys(code+"\n") {
			t.Errorf("a final newline changes the reading of %q", code)
		}
		if sqlDestroys(code) && !sqlDestroys("SELECT 1; "+code) && code[0] != '.' {
			t.Errorf("a statement before %q hides it", code)
		}
		redisDestroys(code)
		mongoDestroys(code)
	})
}
