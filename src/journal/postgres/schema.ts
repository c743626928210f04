/** The version of the tables. Another program does nothing with them. */
export const SCHEMA_VERSION = 1;

/** Before an upgrade: waits for the entries that are on their way, and stops later ones until it ends. */
export const LOCK = 'LOCK TABLE bursar.entries IN EXCLUSIVE MODE';

/** By the version of the tables: the statements that make the next one. */
export const UPGRADES: Readonly<Record<number, string>> = {};

/** The errors of its functions. */
export const STALE_EPOCH = 'BU001';
export const NAME_TAKEN = 'BU002';
export const OTHER_VERSION = 'BU003';

/**
 * The tables of a journal, in a schema of their own: one journal in a database. Texts are stored as `text`, so that the
 * server never reads them as JSON. The functions and triggers refuse a late writer, whatever the program does.
 */
export const SCHEMA = `
CREATE SCHEMA bursar;

CREATE TABLE bursar.journal (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  version integer NOT NULL,
  id text NOT NULL,
  key_check text NOT NULL,
  lease_ms integer NOT NULL CHECK (lease_ms > 0),
  payer_secret text,
  made_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- A holder is replaced when its time is over. Each new holder has a higher epoch.
CREATE TABLE bursar.leases (
  subject text PRIMARY KEY,
  epoch bigint NOT NULL,
  owner text,
  until timestamptz NOT NULL,
  quiet_at timestamptz NOT NULL
);

CREATE TABLE bursar.operations (
  id text PRIMARY KEY,
  seq integer NOT NULL,
  has_ended boolean NOT NULL,
  moved_nothing boolean NOT NULL,
  is_removed boolean NOT NULL DEFAULT false,
  head text NOT NULL,
  changed_at timestamptz NOT NULL,
  changed_by xid8 NOT NULL
);
CREATE INDEX operations_open ON bursar.operations (id) WHERE NOT has_ended AND NOT is_removed;
CREATE INDEX operations_changed_by ON bursar.operations (changed_by);
CREATE INDEX operations_changed_at ON bursar.operations (changed_at);

CREATE TABLE bursar.entries (
  operation text NOT NULL,
  seq integer NOT NULL,
  epoch bigint NOT NULL,
  id uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  line text NOT NULL,
  mac text NOT NULL,
  PRIMARY KEY (operation, seq)
);

CREATE TABLE bursar.keys (key text, operation text, PRIMARY KEY (key, operation));
-- A name stays after its operation was removed.
CREATE TABLE bursar.names (name text PRIMARY KEY, operation text NOT NULL);

CREATE TABLE bursar.inputs (
  operation text PRIMARY KEY,
  sealed text NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE FUNCTION bursar.assert_lease(wanted text, number bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM bursar.leases WHERE subject = wanted AND epoch = number AND owner IS NOT NULL FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the lease % of epoch % is over', wanted, number USING ERRCODE = '${STALE_EPOCH}';
  END IF;
  RETURN true;
END $$;

-- A program that was connected before an upgrade appends nothing after it.
CREATE FUNCTION bursar.assert_version(known integer) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM bursar.journal WHERE version = known;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the tables have another version' USING ERRCODE = '${OTHER_VERSION}';
  END IF;
  RETURN true;
END $$;

CREATE FUNCTION bursar.take_name(wanted text, taker text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO bursar.names AS n (name, operation) VALUES (wanted, taker)
  ON CONFLICT (name) DO UPDATE SET operation = taker
  WHERE EXISTS (SELECT FROM bursar.operations o WHERE o.id = n.operation AND o.moved_nothing AND NOT o.is_removed);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the name of % is taken', taker USING ERRCODE = '${NAME_TAKEN}';
  END IF;
  RETURN true;
END $$;

CREATE FUNCTION bursar.check_entry() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE last integer;
BEGIN
  PERFORM bursar.assert_lease('operation/' || NEW.operation, NEW.epoch);
  SELECT max(seq) INTO last FROM bursar.entries WHERE operation = NEW.operation;
  IF NEW.seq <> coalesce(last, 0) + 1 THEN
    RAISE EXCEPTION 'entry % of % follows %', NEW.seq, NEW.operation, last USING ERRCODE = '${STALE_EPOCH}';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER check_entry BEFORE INSERT ON bursar.entries FOR EACH ROW EXECUTE FUNCTION bursar.check_entry();

CREATE FUNCTION bursar.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an entry never changes';
END $$;

CREATE TRIGGER refuse_change BEFORE UPDATE ON bursar.entries FOR EACH ROW EXECUTE FUNCTION bursar.refuse_change();
`;
