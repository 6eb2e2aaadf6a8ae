package l0

// Database clients are never readers: a statement can call functions that write. Their statements are read for
// calls that destroy (see the language scanners of package gatecore). Options as in the clients' manuals.

func databases() Domain {
	return Domain{
		Name: "databases",
		Programs: []Program{
			{Names: "psql pgcli", Language: SQL, Network: true, Command: Command{Is: Database, Operands: "word* ", Language: SQL, Options: Options{
				Code: "-c= --command=", CodeFile: "-f= --file=", Write: "-o= --output= -L= --log-file=",
				Read:     "-l --list -a --echo-all -A --no-align -b -e -E -q --quiet -s -S -t --tuples-only -T= -F= -R= -P= --pset= -H --html -x --expanded -X --no-psqlrc -z -0 -1 --single-transaction --csv -n",
				Endpoint: "-h= --host= -p= --port= -U= --username= -d= --dbname= -w --no-password -W --password", Config: "-v= --set= --variable=", Help: "-V -?",
			}}},
			{Names: "mysql mariadb mycli", Language: SQL, Network: true, Command: Command{Is: Database, Operands: "word*", Language: SQL, Options: Options{
				Code:     "-e= --execute= --init-command=",
				Read:     "-B --batch -N --skip-column-names -s --silent -t --table -v --verbose -E --vertical -X -H --html -r --raw -f --force -n -q --quick -C -A -b --column-names -w",
				Endpoint: "-h= --host= -P= --port= -u= --user= -p? --password? -S= --socket= -D= --database= --protocol= --login-path= --ssl*",
				Config:   "--defaults-file= --defaults-extra-file= --plugin-dir= --default-auth=", Append: "--tee=", Run: "--pager=", Help: "-V -?",
			}}},
			{Names: "sqlite3 sqlite duckdb", Style: SingleDash, Language: SQL, Command: Command{Is: Database, Operands: "name? code*", Language: SQL, Options: Options{
				Code: "-cmd= -c= -s=", CodeFile: "-init= -f=",
				Read: "-readonly -header -noheader -csv -json -line -list -column -html -markdown -table -box -ascii -quote -separator= -newline= -nullvalue= -bail -batch -echo -interactive -stats -safe -A -append -mmap= -vfs= -zip -unsigned",
				Help: "-version -help",
			}}},
			{
				Names: "sqlcmd osql isql tsql clickhouse-client clickhouse cqlsh usql snowsql trino presto beeline hive impala-shell cockroach vsql dbaccess sqlplus bsqldb db2 rqlite influx", Style: GNU, Language: SQL, Network: true,
				Command: Command{Is: Database, Operands: "word*", Language: SQL, Options: Options{
					Code: "-Q= -q= -e= --execute= --query= -c= -x= -execute=", CodeFile: "-i= -f= --file= --queries-file=", Write: "-o= --output=",
					Read: "-b -h= --format= --multiquery -n", Endpoint: "-S= -U= -P= -d= -u= -p= --host= --port= --user= --password= --url= --database= --insecure", Help: "-? -V -v",
				}},
			},
			{Names: "mongosh mongo", Language: Mongo, Network: true, Command: Command{Is: Database, Operands: "word*", Language: Mongo, Options: Options{
				Code: "--eval=", CodeFile: "-f= --file=", Read: "--quiet --norc --nodb --json? --shell",
				Endpoint: "--host= --port= -u= --username= -p? --password? --authenticationDatabase= --tls --ssl", Help: "-h",
			}}},
			{Names: "redis-cli valkey-cli keydb-cli", Style: POSIX, Language: Redis, Network: true, Command: Command{Is: Database, Operands: "code*", Language: Redis, Options: Options{
				CodeFile: "--eval=", Read: "-r= -i= -x --raw --no-raw --csv --json -2 -3 -c -e -D= -d= --stat --latency --bigkeys --memkeys --hotkeys --scan --pattern= --no-auth-warning --verbose",
				Write: "--rdb= --functions-rdb=", Change: "--pipe",
				Endpoint: "-h= -p= -s= -a= --pass= --user= -u= -n= --tls --sni= --cacert= --cert= --key= --insecure --cluster=", Help: "-v -V",
			}}},
			{Names: "pg_dump pg_dumpall mysqldump mariadb-dump mongodump mongoexport", Command: Command{Is: Database, Operands: "word*", Options: Options{
				Write: "-f= --file= -r= --result-file= -o= --out=", Read: "-s --schema-only -a --data-only -t= --table= -F= -n= --no-owner --no-acl -x -O --single-transaction --all-databases --databases --quick --no-data -j= -Z= -v",
				Change: "-c --clean --if-exists --add-drop-table --add-drop-database", Endpoint: "-h= --host= -p? --port= -U= --username= -u= --user= -d= --dbname= --db= --uri= --password?", Help: "-V -?",
			}, Why: "It copies the content of a database."}},
			{Names: "pg_restore mongorestore mongoimport pgloader", Command: Command{Is: Database, Operands: "file*", Options: Options{
				Change: "-c --clean --if-exists --drop -C --create", Read: "-j= -v -F= -a -s -t= -n= -O -x -1 -l --list --gzip --archive? --collection= --type= --file= --mode=", Endpoint: "-h= --host= -p= --port= -U= -d= --dbname= --db= --uri=", Help: "-V -?",
			}, Why: "It writes into a database."}},
			{
				Names:   "pg_dropcluster createdb createuser vacuumdb reindexdb clusterdb pg_ctl pg_upgrade pg_basebackup initdb pg_resetwal mysqlimport mysql_upgrade mysqlcheck mysql_secure_installation",
				Command: Command{Is: Database, Options: Options{Help: "-V -?"}, Why: "It changes a database server."},
			},
			{Names: "dropdb dropuser", Command: Command{Is: Database, Operands: "word*", Options: Options{Read: "-e --echo --if-exists -i --interactive", Change: "-f --force", Endpoint: "-h= --host= -p= --port= -U= --username= -w -W --maintenance-db=", Help: "-V -?"}}},
			{Names: "manage.py console dotnet-ef", Command: Command{Is: Writer, Operands: "word*", Why: "It runs project code."}},
			{Names: "pg_isready", Command: Command{Is: Network, Options: Options{Help: "-V -?"}}},
			{Names: "mysqladmin mariadb-admin", Command: Command{Is: Database, Operands: "word*", Options: Options{Read: "-f --force -s -v -i= -c=", Endpoint: "-h= --host= -P= --port= -u= --user= -p? --password? -S= --socket=", Help: "-V -?"}}},
			{Names: "prisma drizzle-kit sequelize sequelize-cli typeorm knex knex-cli dbmate flyway liquibase alembic goose migrate atlas rails rake artisan symfony ecto", Command: Command{Options: Options{Help: "-h -v -V --version"}}, Commands: []Command{
				{
					Path: "migrate reset, db push, db:drop, db:drop:all, db:reset, db:purge, db:migrate:reset, db:schema:load, db:setup, migrate:fresh, migrate:refresh, migrate:reset, db:wipe, schema:drop, migrate:rollback, drop, drop-all, dropAll, clean, drop:db, db:seed:undo:all, db:migrate:undo:all, down -all, doctrine:database:drop, doctrine:schema:drop, schema clean",
					Is:   Database, Options: Options{Change: "-f --force --force-reset --accept-data-loss --all -y --skip-seed"},
				},
				{
					Path: "migrate dev, migrate deploy, migrate status, generate, studio, validate, format, db pull, db seed, upgrade, downgrade, revision, current, history, up, down, status, new, create, db:migrate, db:create, db:seed, db:rollback, info, update, server, console, routes, test, push, introspect, schema",
					Is:   Writer, Why: "It runs project code or changes a database.",
				},
			}},
		},
		Rules: databaseRules(),
	}
}

func databaseRules() []Rule {
	return []Rule{
		{
			// The scanners of package gatecore fire it for code in SQL, Redis commands and the Mongo shell.
			ID: "sql.destroys", Verdict: Deny,
			Why:     "The statement drops or empties a data store, or changes every row; a database keeps no copy of what it removes.",
			Instead: "select what would be affected first, add a WHERE clause, and take a dump",
			Yes: []string{
				"psql -c 'DROP DATABASE app'", "mysql -u root -e \"DELETE FROM users;\"", "sqlite3 app.db 'UPDATE users SET admin=1'", "psql app --command='truncate users'",
				"sudo -u postgres psql -c 'drop schema public cascade'", "bq query 'DROP TABLE d.t'", "echo 'DROP TABLE users' | psql app", "mysql app <<<'DROP TABLE users'",
				"redis-cli FLUSHALL", "redis-cli -h cache -n 2 flushdb", "redis-cli SHUTDOWN NOSAVE",
				"mongosh app --eval 'db.dropDatabase()'", "mongo --eval 'db.users.deleteMany({})'",
			},
			No: []string{
				"psql -c 'SELECT 1'", "psql -c \"SELECT 'DROP TABLE x'\"", "mysql -e 'DELETE FROM s WHERE id = 3'", "psql -c \"SELECT 1 -- DROP TABLE x\"", "sqlite3 app.db .tables",
				"mysql -e 'SHOW GRANTS'", "redis-cli GET a", "redis-cli SET note flushall",
				"mongosh --eval 'db.users.find({})'", "mongosh --eval 'print(\"dropDatabase()\")'", "mongosh --eval 'db.u.deleteMany({a: 1})'",
			},
		},
		{
			ID: "db.drop", Verdict: Deny,
			Why:     "This drops a whole database.",
			Instead: "pg_dump or mysqldump first, and let a person drop it",
			When: []Match{
				{Program: "dropdb dropuser"},
				{Program: "mysqladmin mariadb-admin", Operand: "drop flush-privileges-drop"},
				{Program: "pg_restore", Has: "-c|--clean"},
				{Program: "pg_dropcluster"},
				{Program: "pg_resetwal", Has: "-f|--force"},
				{Program: "mongorestore mongoimport", Has: "--drop"},
			},
			Yes: []string{"dropdb app", "dropdb --if-exists -h db app", "mysqladmin -f drop app", "pg_restore --clean -d app dump.pgc", "mongorestore --drop dump/", "pg_dropcluster 15 main --stop", "pg_resetwal -f /var/lib/pg"},
			No:  []string{"createdb app", "mysqladmin status", "pg_restore -l dump.pgc", "pg_dump app"},
		},
		{
			ID: "db.schema-reset", Verdict: Deny,
			Why:     "This drops the tables of the configured database and creates them again, empty.",
			Instead: "apply pending migrations only, or point the tool at a scratch database",
			When: []Match{
				{
					Program: "prisma drizzle-kit sequelize sequelize-cli typeorm knex knex-cli dbmate flyway liquibase alembic goose migrate atlas rails rake artisan symfony ecto",
					Command: "migrate reset, db:drop, db:drop:all, db:reset, db:purge, db:migrate:reset, migrate:fresh, migrate:refresh, migrate:reset, db:wipe, schema:drop, drop, drop-all, dropAll, clean, drop:db, db:migrate:undo:all, doctrine:database:drop, doctrine:schema:drop, schema clean",
				},
				{Program: "prisma", Command: "db push", Has: "--force-reset|--accept-data-loss"},
				{Program: "knex knex-cli", Command: "migrate:rollback", Has: "--all"},
				{Program: "alembic", Command: "downgrade", First: "base"},
				{Program: "drizzle-kit", Command: "push", Has: "--force"},
				{Program: "mix", Operand: "ecto.drop ecto.reset ecto.rollback.all"},
				{Program: "php", First: "artisan */artisan", Operand: "migrate:fresh migrate:refresh migrate:reset db:wipe"},
				{Program: "php", First: "bin/console */bin/console", Operand: "doctrine:database:drop doctrine:schema:drop d:d:d d:s:d"},
				{Program: "console symfony", Operand: "doctrine:database:drop doctrine:schema:drop"},
				{Program: "python python3", First: "manage.py */manage.py", Operand: "flush reset_db zero"},
				{Program: "manage.py", Operand: "flush reset_db zero"},
				{Program: "dotnet", Command: "ef", Operand: "drop"},
				{Program: "dotnet-ef", Operand: "drop"},
			},
			Yes: []string{"npx prisma migrate reset --force", "bundle exec rails db:drop", "rake db:reset", "flyway clean", "prisma db push --force-reset", "sequelize db:drop", "php artisan migrate:fresh --seed", "python manage.py flush --no-input", "mix ecto.drop", "./manage.py flush --no-input", "php bin/console doctrine:database:drop --force", "dotnet ef database drop -f", "symfony console doctrine:schema:drop --force", "alembic downgrade base", "npx drizzle-kit push --force"},
			No:  []string{"prisma migrate dev", "php artisan migrate", "python manage.py migrate", "rails db:migrate", "flyway info", "prisma db push", "alembic downgrade -1", "mix ecto.migrate"},
		},
	}
}
