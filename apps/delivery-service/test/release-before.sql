-- A dump of schema runner, made by the release before the delivery service, with one row or more in each table.
CREATE TABLE runner.dead_letters (
    day date DEFAULT ((now() AT TIME ZONE 'UTC'::text))::date NOT NULL,
    id bigint NOT NULL,
    workspace_id text NOT NULL,
    destination_id text NOT NULL,
    source_id text NOT NULL,
    event_key text NOT NULL,
    output integer,
    stage text NOT NULL,
    reason text NOT NULL,
    status integer,
    attempts integer NOT NULL,
    message_id text,
    event_type text,
    event_name text,
    event json NOT NULL,
    match_keys text[] NOT NULL,
    received_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    replay_at timestamp with time zone,
    CONSTRAINT dead_letters_stage_check1 CHECK ((stage = ANY (ARRAY['queue'::text, 'user_transform'::text, 'dest_transform'::text, 'delivery'::text])))
)
PARTITION BY RANGE (day);

CREATE SEQUENCE runner.dead_letter_ids
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE runner.dead_letter_ids OWNED BY runner.dead_letters.id;

CREATE TABLE runner.dead_letters_20261122 (
    day date DEFAULT ((now() AT TIME ZONE 'UTC'::text))::date NOT NULL,
    id bigint DEFAULT nextval('runner.dead_letter_ids'::regclass) NOT NULL,
    workspace_id text NOT NULL,
    destination_id text NOT NULL,
    source_id text NOT NULL,
    event_key text NOT NULL,
    output integer,
    stage text NOT NULL,
    reason text NOT NULL,
    status integer,
    attempts integer NOT NULL,
    message_id text,
    event_type text,
    event_name text,
    event json NOT NULL,
    match_keys text[] NOT NULL,
    received_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    replay_at timestamp with time zone,
    CONSTRAINT dead_letters_stage_check1 CHECK ((stage = ANY (ARRAY['queue'::text, 'user_transform'::text, 'dest_transform'::text, 'delivery'::text])))
);

CREATE TABLE runner.dead_letters_20261123 (
    day date DEFAULT ((now() AT TIME ZONE 'UTC'::text))::date NOT NULL,
    id bigint DEFAULT nextval('runner.dead_letter_ids'::regclass) NOT NULL,
    workspace_id text NOT NULL,
    destination_id text NOT NULL,
    source_id text NOT NULL,
    event_key text NOT NULL,
    output integer,
    stage text NOT NULL,
    reason text NOT NULL,
    status integer,
    attempts integer NOT NULL,
    message_id text,
    event_type text,
    event_name text,
    event json NOT NULL,
    match_keys text[] NOT NULL,
    received_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    replay_at timestamp with time zone,
    CONSTRAINT dead_letters_stage_check1 CHECK ((stage = ANY (ARRAY['queue'::text, 'user_transform'::text, 'dest_transform'::text, 'delivery'::text])))
);

CREATE TABLE runner.delivery_counts (
    workspace_id text NOT NULL,
    destination_id text NOT NULL,
    hour timestamp with time zone NOT NULL,
    name text NOT NULL,
    events bigint NOT NULL
);

CREATE TABLE runner.delivery_progress (
    destination_id text NOT NULL,
    batch_id text NOT NULL,
    done integer[] NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE runner.delivery_shares (
    destination_id text NOT NULL,
    block bigint NOT NULL,
    workspace_id text NOT NULL,
    bytes bigint NOT NULL
);

CREATE TABLE runner.lease_members (
    role text NOT NULL,
    member text NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

CREATE TABLE runner.leases (
    role text NOT NULL,
    slot integer NOT NULL,
    owner text,
    epoch bigint DEFAULT 0 NOT NULL,
    expires_at timestamp with time zone
);

CREATE TABLE runner.migrations (
    id integer NOT NULL,
    "timestamp" bigint NOT NULL,
    name character varying NOT NULL
);

CREATE SEQUENCE runner.migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE runner.migrations_id_seq OWNED BY runner.migrations.id;

CREATE TABLE runner.retrying_deliveries (
    id bigint NOT NULL,
    workspace_id text NOT NULL,
    destination_id text NOT NULL,
    source_id text NOT NULL,
    event_key text NOT NULL,
    message_id text,
    event_type text,
    event_name text,
    reason text NOT NULL,
    status integer,
    attempts integer NOT NULL,
    received_at timestamp with time zone NOT NULL,
    last_attempt_at timestamp with time zone NOT NULL,
    next_attempt_at timestamp with time zone NOT NULL
);

ALTER TABLE runner.retrying_deliveries ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME runner.retrying_deliveries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE runner.test_runs (
    "position" bigint NOT NULL,
    id text NOT NULL,
    workspace_id text NOT NULL,
    destination_id text NOT NULL,
    destination_name text NOT NULL,
    source_id text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by text,
    passed boolean,
    request json NOT NULL,
    result json NOT NULL,
    match_keys text[] NOT NULL
);

ALTER TABLE runner.test_runs ALTER COLUMN "position" ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME runner.test_runs_position_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE runner.used_versions (
    workspace_id text NOT NULL,
    destination_id text NOT NULL,
    deliverer text NOT NULL,
    version_id text NOT NULL,
    last_used_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY runner.dead_letters ATTACH PARTITION runner.dead_letters_20261122 FOR VALUES FROM ('2026-11-22') TO ('2026-11-23');

ALTER TABLE ONLY runner.dead_letters ATTACH PARTITION runner.dead_letters_20261123 FOR VALUES FROM ('2026-11-23') TO ('2026-11-24');

ALTER TABLE ONLY runner.dead_letters ALTER COLUMN id SET DEFAULT nextval('runner.dead_letter_ids'::regclass);

ALTER TABLE ONLY runner.migrations ALTER COLUMN id SET DEFAULT nextval('runner.migrations_id_seq'::regclass);

INSERT INTO runner.dead_letters_20261122 VALUES ('2026-11-22', 1, 'w1', 'd1', 's1', 'b1.0', NULL, 'delivery', 'The destination answered 404', 404, 1, 'm1', 'track', 'Bought', '{"type":"track","event":"Bought","userId":"u1"}', '{userId=u1}', '2026-11-22 10:00:00+00', '2026-11-22 10:00:01+00', NULL);

INSERT INTO runner.dead_letters_20261123 VALUES ('2026-11-23', 2, 'w1', 'd1', 's1', 'b2.0', 1, 'user_transform', 'Error: no plan', NULL, 3, 'm2', 'track', 'Left', '{"type":"track","event":"Left","userId":"u2"}', '{userId=u2}', '2026-11-23 10:00:00+00', '2026-11-23 10:00:01+00', '2026-11-23 11:00:00+00');

INSERT INTO runner.delivery_counts VALUES ('w1', 'd1', '2026-11-23 10:00:00+00', 'delivered', 42);

INSERT INTO runner.delivery_progress VALUES ('d1', 'b3', '{0,2}', '2026-11-23 10:00:00+00');

INSERT INTO runner.delivery_shares VALUES ('d1', 7, 'w1', 1048576);

INSERT INTO runner.lease_members VALUES ('delivery', 'host/17', '2026-11-23 10:00:00+00');

INSERT INTO runner.leases VALUES ('delivery', 3, 'host/17', 5, '2026-11-23 10:00:00+00');

INSERT INTO runner.migrations VALUES (1, 1764000000001, 'CreateDeliveries1764000000001');
INSERT INTO runner.migrations VALUES (2, 1764000000002, 'CreateUsedVersions1764000000002');
INSERT INTO runner.migrations VALUES (3, 1764000000003, 'CreateTestRuns1764000000003');
INSERT INTO runner.migrations VALUES (4, 1764000000004, 'DeadLetterOutputs1764000000004');
INSERT INTO runner.migrations VALUES (5, 1764000000005, 'CreateDeliveryProgress1764000000005');
INSERT INTO runner.migrations VALUES (6, 1764000000006, 'CreateDeliveryCounts1764000000006');
INSERT INTO runner.migrations VALUES (7, 1764000000007, 'NameDeadLetters1764000000007');
INSERT INTO runner.migrations VALUES (8, 1764000000008, 'DeadLettersByDay1764000000008');
INSERT INTO runner.migrations VALUES (9, 1764000000009, 'ClearVendorTexts1764000000009');
INSERT INTO runner.migrations VALUES (10, 1764000000010, 'CreateDeliveryShares1764000000010');

INSERT INTO runner.retrying_deliveries OVERRIDING SYSTEM VALUE VALUES (1, 'w1', 'd1', 's1', 'b4.0', 'm4', 'track', 'Slow', 'The destination answered 503', 503, 2, '2026-11-23 10:00:00+00', '2026-11-23 10:00:05+00', '2026-11-23 10:01:00+00');

INSERT INTO runner.test_runs OVERRIDING SYSTEM VALUE VALUES (1, 'r1', 'w1', 'd1', 'Hook', 's1', '2026-11-22 19:32:52.041059+00', 'a@example.com', true, '{"message":{"type":"track"}}', '{"destinationId":"d1"}', '{userId=u1}');

INSERT INTO runner.used_versions VALUES ('w1', 'd1', 'host/17', 'v1', '2026-11-23 10:00:00+00');

SELECT pg_catalog.setval('runner.dead_letter_ids', 2, true);

SELECT pg_catalog.setval('runner.migrations_id_seq', 10, true);

SELECT pg_catalog.setval('runner.retrying_deliveries_id_seq', 1, true);

SELECT pg_catalog.setval('runner.test_runs_position_seq', 1, true);

ALTER TABLE ONLY runner.migrations
    ADD CONSTRAINT "PK_8c82d7f526340ab734260ea46be" PRIMARY KEY (id);

ALTER TABLE ONLY runner.dead_letters
    ADD CONSTRAINT dead_letters_pkey PRIMARY KEY (id, day);

ALTER TABLE ONLY runner.dead_letters_20261122
    ADD CONSTRAINT dead_letters_20261122_pkey PRIMARY KEY (id, day);

ALTER TABLE ONLY runner.dead_letters_20261123
    ADD CONSTRAINT dead_letters_20261123_pkey PRIMARY KEY (id, day);

ALTER TABLE ONLY runner.delivery_counts
    ADD CONSTRAINT delivery_counts_pkey PRIMARY KEY (workspace_id, destination_id, hour, name);

ALTER TABLE ONLY runner.delivery_progress
    ADD CONSTRAINT delivery_progress_pkey PRIMARY KEY (destination_id, batch_id);

ALTER TABLE ONLY runner.delivery_shares
    ADD CONSTRAINT delivery_shares_pkey PRIMARY KEY (destination_id, block);

ALTER TABLE ONLY runner.lease_members
    ADD CONSTRAINT lease_members_pkey PRIMARY KEY (role, member);

ALTER TABLE ONLY runner.leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (role, slot);

ALTER TABLE ONLY runner.retrying_deliveries
    ADD CONSTRAINT retrying_deliveries_destination_id_event_key_key UNIQUE (destination_id, event_key);

ALTER TABLE ONLY runner.retrying_deliveries
    ADD CONSTRAINT retrying_deliveries_pkey PRIMARY KEY (id);

ALTER TABLE ONLY runner.test_runs
    ADD CONSTRAINT test_runs_id_key UNIQUE (id);

ALTER TABLE ONLY runner.test_runs
    ADD CONSTRAINT test_runs_pkey PRIMARY KEY ("position");

ALTER TABLE ONLY runner.used_versions
    ADD CONSTRAINT used_versions_pkey PRIMARY KEY (workspace_id, destination_id, deliverer);

CREATE UNIQUE INDEX dead_letters_event ON ONLY runner.dead_letters USING btree (destination_id, event_key, COALESCE(output, '-1'::integer), day);

CREATE UNIQUE INDEX dead_letters_20261122_destination_id_event_key_coalesce_day_idx ON runner.dead_letters_20261122 USING btree (destination_id, event_key, COALESCE(output, '-1'::integer), day);

CREATE INDEX dead_letters_destination ON ONLY runner.dead_letters USING btree (destination_id, id);

CREATE INDEX dead_letters_20261122_destination_id_id_idx ON runner.dead_letters_20261122 USING btree (destination_id, id);

CREATE INDEX dead_letters_replay_to ON ONLY runner.dead_letters USING btree (destination_id, id) WHERE (replay_at IS NOT NULL);

CREATE INDEX dead_letters_20261122_destination_id_id_idx1 ON runner.dead_letters_20261122 USING btree (destination_id, id) WHERE (replay_at IS NOT NULL);

CREATE INDEX dead_letters_match ON ONLY runner.dead_letters USING gin (match_keys);

CREATE INDEX dead_letters_20261122_match_keys_idx ON runner.dead_letters_20261122 USING gin (match_keys);

CREATE INDEX dead_letters_replay ON ONLY runner.dead_letters USING btree (replay_at, id) WHERE (replay_at IS NOT NULL);

CREATE INDEX dead_letters_20261122_replay_at_id_idx ON runner.dead_letters_20261122 USING btree (replay_at, id) WHERE (replay_at IS NOT NULL);

CREATE INDEX dead_letters_listed ON ONLY runner.dead_letters USING btree (workspace_id, id);

CREATE INDEX dead_letters_20261122_workspace_id_id_idx ON runner.dead_letters_20261122 USING btree (workspace_id, id);

CREATE UNIQUE INDEX dead_letters_20261123_destination_id_event_key_coalesce_day_idx ON runner.dead_letters_20261123 USING btree (destination_id, event_key, COALESCE(output, '-1'::integer), day);

CREATE INDEX dead_letters_20261123_destination_id_id_idx ON runner.dead_letters_20261123 USING btree (destination_id, id);

CREATE INDEX dead_letters_20261123_destination_id_id_idx1 ON runner.dead_letters_20261123 USING btree (destination_id, id) WHERE (replay_at IS NOT NULL);

CREATE INDEX dead_letters_20261123_match_keys_idx ON runner.dead_letters_20261123 USING gin (match_keys);

CREATE INDEX dead_letters_20261123_replay_at_id_idx ON runner.dead_letters_20261123 USING btree (replay_at, id) WHERE (replay_at IS NOT NULL);

CREATE INDEX dead_letters_20261123_workspace_id_id_idx ON runner.dead_letters_20261123 USING btree (workspace_id, id);

CREATE INDEX delivery_counts_age ON runner.delivery_counts USING btree (hour);

CREATE INDEX delivery_progress_age ON runner.delivery_progress USING btree (updated_at);

CREATE INDEX retrying_deliveries_listed ON runner.retrying_deliveries USING btree (workspace_id, id);

CREATE INDEX test_runs_age ON runner.test_runs USING btree (created_at);

CREATE INDEX test_runs_listed ON runner.test_runs USING btree (workspace_id, "position");

CREATE INDEX test_runs_match ON runner.test_runs USING gin (match_keys);

CREATE INDEX used_versions_age ON runner.used_versions USING btree (last_used_at);

ALTER INDEX runner.dead_letters_event ATTACH PARTITION runner.dead_letters_20261122_destination_id_event_key_coalesce_day_idx;

ALTER INDEX runner.dead_letters_destination ATTACH PARTITION runner.dead_letters_20261122_destination_id_id_idx;

ALTER INDEX runner.dead_letters_replay_to ATTACH PARTITION runner.dead_letters_20261122_destination_id_id_idx1;

ALTER INDEX runner.dead_letters_match ATTACH PARTITION runner.dead_letters_20261122_match_keys_idx;

ALTER INDEX runner.dead_letters_pkey ATTACH PARTITION runner.dead_letters_20261122_pkey;

ALTER INDEX runner.dead_letters_replay ATTACH PARTITION runner.dead_letters_20261122_replay_at_id_idx;

ALTER INDEX runner.dead_letters_listed ATTACH PARTITION runner.dead_letters_20261122_workspace_id_id_idx;

ALTER INDEX runner.dead_letters_event ATTACH PARTITION runner.dead_letters_20261123_destination_id_event_key_coalesce_day_idx;

ALTER INDEX runner.dead_letters_destination ATTACH PARTITION runner.dead_letters_20261123_destination_id_id_idx;

ALTER INDEX runner.dead_letters_replay_to ATTACH PARTITION runner.dead_letters_20261123_destination_id_id_idx1;

ALTER INDEX runner.dead_letters_match ATTACH PARTITION runner.dead_letters_20261123_match_keys_idx;

ALTER INDEX runner.dead_letters_pkey ATTACH PARTITION runner.dead_letters_20261123_pkey;

ALTER INDEX runner.dead_letters_replay ATTACH PARTITION runner.dead_letters_20261123_replay_at_id_idx;

ALTER INDEX runner.dead_letters_listed ATTACH PARTITION runner.dead_letters_20261123_workspace_id_id_idx;
