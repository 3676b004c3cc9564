import * as contracts from '@weir/contracts';
import { INVENTORY_BUCKET, OPTIONAL_PROCESSES, PARTITIONS, PROCESSES, type ProcessName } from '@weir/contracts';

/** Permissions of one broker user. The broker refuses all other subjects, but always allows replies to requests. */
export interface NatsPermissions {
  publish: string[];
  subscribe: string[];
}

/** The broker user of each process. Charts and compose files use the same names. */
export const NATS_USER_OF: Record<ProcessName, string> = {
  'gateway.main': 'gateway',
  'transformation-registry.main': 'registry',
  'regulation-service.main': 'regulation',
  'regulation-service.filter': 'filter',
  'regulation-service.eraser': 'eraser',
  'test-runner.main': 'runner',
  'delivery-service.main': 'delivery',
  'delivery-service.deliverer': 'deliverer',
  'delivery-service.fetcher': 'fetcher',
  'delivery-service.archiver': 'archiver',
  'schema-service.main': 'schemas',
  'schema-service.collector': 'collector',
  'code-sandbox.main': 'sandbox',
};
/** User of the migration step, which creates streams, consumers and the bucket. */
export const NATS_MIGRATE_USER = 'migrate';

const CALLS = Object.values(contracts).flatMap((value) =>
  typeof value === 'object' && 'subject' in value && 'deadlineMs' in value ? [value.subject] : [],
);
const callsOf = (service: string) => CALLS.filter((subject) => subject.startsWith(`${service}.`));
const subjectsOf = (...calls: { subject: string }[]) => calls.map(({ subject }) => subject);

const PURGES = subjectsOf(contracts.PurgeSchemaUsers, contracts.PurgeRunnerUsers, contracts.PurgeDeliveryUsers);
/** Calls of processes that run code, for live traffic and tests: code, credentials and destination releases. */
const RUNS_CODE = subjectsOf(
  ...[contracts.GetBundle, contracts.GetDestinationRelease, contracts.ListCredentials, contracts.RunCode],
);
/** Calls that report a new version's results and trigger a rollback. */
const TRIALS = subjectsOf(contracts.ReportTrial, contracts.RevertTrial);
/** The calls with which the deliverer finds troubles in other services. */
const TROUBLES = subjectsOf(contracts.ListRollbacks, contracts.ListOverdueDeletions, contracts.ListSourceActivity);
/** Calls between services only. The gateway may make all other calls for users. */
const BETWEEN_SERVICES: readonly string[] = [
  ...[...PURGES, ...TRIALS, ...TROUBLES, ...callsOf('sandbox')],
  ...subjectsOf(contracts.FetchUrl, contracts.GetBundle, contracts.ListReleasesSince, contracts.HoldAnswers),
  ...callsOf('gateway'),
];

const BUCKET = `KV_${INVENTORY_BUCKET}`;
const API = '$JS.API';

const streamInfo = (stream: string) => [`${API}.STREAM.INFO.${stream}`];
/** Lets a process compare the stream and its consumers with the code, and notice deleted consumers. */
const looksAt = (stream: string) => [...streamInfo(stream), `${API}.CONSUMER.LIST.${stream}`];
const hearsOf = (stream: string) => `$JS.EVENT.ADVISORY.CONSUMER.DELETED.${stream}.>`;

/** Pulls from one durable consumer and acknowledges. */
const pulls = (stream: string, durable: string) => [
  `${API}.CONSUMER.INFO.${stream}.${durable}`,
  `${API}.CONSUMER.MSG.NEXT.${stream}.${durable}`,
  `$JS.ACK.${stream}.${durable}.>`,
];

/** A role's share of the partitions (architecture section 4). The role recreates consumers that were deleted. */
const partitions = (stream: string, role: string, subject: string) => [
  ...looksAt(stream),
  ...Array.from({ length: PARTITIONS }, (_, partition) => [
    ...pulls(stream, `${role}-${partition}`),
    `${API}.CONSUMER.CREATE.${stream}.${role}-${partition}.${subject}.${partition}.>`,
  ]).flat(),
];

/** Subjects on which the processes of a role tell and ask each other. */
const amongMembers = (role: string) => [contracts.partitionsReleasedSubject(role), contracts.memberSubject(role, '*')];

/** Follows the bucket with an ephemeral consumer. Few users may, because the bucket holds sealed configurations. */
const FOLLOWS_INVENTORY = [
  ...streamInfo(BUCKET),
  `${API}.CONSUMER.CREATE.${BUCKET}.>`,
  `${API}.CONSUMER.INFO.${BUCKET}.>`,
  `${API}.CONSUMER.DELETE.${BUCKET}.>`,
  `$JS.FC.${BUCKET}.>`,
];

/** Consumers that a deliverer may remove, so that an archive that is away does not fill the stream. */
const ARCHIVERS = Array.from({ length: PARTITIONS }, (_, partition) => `archiver-${partition}`);

/** Which process may call which: the edges of architecture section 1, and each role's streams of section 4. */
const PERMISSIONS: Record<ProcessName, NatsPermissions> = {
  'gateway.main': {
    publish: [
      ...CALLS.filter((subject) => !BETWEEN_SERVICES.includes(subject)),
      ...['ops.*.health.v1', contracts.ROLL_CALL_SUBJECT, 'events.raw.>', `$KV.${INVENTORY_BUCKET}.>`, `${API}.INFO`],
      ...['EVENTS_RAW', 'EVENTS_ACCEPTED'].flatMap(streamInfo),
      ...FOLLOWS_INVENTORY,
    ],
    subscribe: ['events.accepted.>', 'live.>', ...callsOf('gateway')],
  },
  'transformation-registry.main': {
    publish: [
      contracts.RELEASE_PUBLISHED_SUBJECT,
      ...subjectsOf(contracts.RunCode, contracts.CheckCode, contracts.AppendAudit),
    ],
    subscribe: callsOf('registry'),
  },
  'regulation-service.main': {
    publish: [contracts.DELETION_REQUESTED_SUBJECT, contracts.recalledAnswersSubject('*')],
    subscribe: callsOf('regulation'),
  },
  'regulation-service.filter': {
    publish: [
      'events.accepted.>',
      contracts.suppressedEventsSubject('*'),
      `${API}.INFO`,
      ...partitions('EVENTS_RAW', 'filter', 'events.raw'),
      ...amongMembers('filter'),
      ...looksAt('EVENTS_ACCEPTED'),
    ],
    subscribe: [...['EVENTS_RAW', 'EVENTS_ACCEPTED'].map(hearsOf), ...amongMembers('filter')],
  },
  'regulation-service.eraser': {
    publish: [
      ...[...PURGES, contracts.DELETION_REQUESTED_SUBJECT, contracts.recalledAnswersSubject('*'), `${API}.INFO`],
      ...['EVENTS_RAW', 'EVENTS_ACCEPTED'].flatMap(looksAt),
      ...FOLLOWS_INVENTORY,
    ],
    subscribe: [contracts.DELETION_REQUESTED_SUBJECT],
  },
  'test-runner.main': {
    publish: RUNS_CODE,
    subscribe: callsOf('runner').filter((subject) => subject !== contracts.FetchUrl.subject),
  },
  'delivery-service.main': { publish: subjectsOf(contracts.AppendAudit), subscribe: callsOf('delivery') },
  'delivery-service.deliverer': {
    publish: [
      ...[...RUNS_CODE, ...TRIALS, ...TROUBLES, ...callsOf('gateway')],
      ...subjectsOf(contracts.ListReleasesSince, contracts.CheckSuppression, contracts.HoldAnswers),
      ...['deliveries.>', 'live.>', `${API}.INFO`],
      ...partitions('EVENTS_ACCEPTED', 'deliverer', 'events.accepted'),
      ...amongMembers('deliverer'),
      ...looksAt('DELIVERIES'),
      `${API}.CONSUMER.DELETE.DELIVERIES.*`,
      `${API}.STREAM.PURGE.DELIVERIES`,
      `${API}.STREAM.MSG.GET.DELIVERIES`,
      `${API}.STREAM.MSG.DELETE.DELIVERIES`,
      ...ARCHIVERS.map((name) => `${API}.CONSUMER.DELETE.EVENTS_ACCEPTED.${name}`),
      ...FOLLOWS_INVENTORY,
    ],
    subscribe: [
      contracts.RELEASE_PUBLISHED_SUBJECT,
      contracts.suppressedEventsSubject('*'),
      contracts.recalledAnswersSubject('*'),
      ...amongMembers('deliverer'),
      hearsOf('EVENTS_ACCEPTED'),
    ],
  },
  'delivery-service.fetcher': { publish: [], subscribe: [contracts.FetchUrl.subject] },
  'delivery-service.archiver': {
    publish: [
      ...subjectsOf(contracts.CheckSuppression),
      ...['deliveries.>', `${API}.INFO`],
      ...partitions('EVENTS_ACCEPTED', 'archiver', 'events.accepted'),
      `${API}.STREAM.MSG.GET.EVENTS_ACCEPTED`,
      ...amongMembers('archiver'),
      ...streamInfo('DELIVERIES'),
      ...FOLLOWS_INVENTORY,
    ],
    subscribe: [hearsOf('EVENTS_ACCEPTED'), ...amongMembers('archiver')],
  },
  'schema-service.main': { publish: [], subscribe: callsOf('schema') },
  'schema-service.collector': {
    publish: [
      ...[`${API}.INFO`, ...amongMembers('collector')],
      ...partitions('EVENTS_ACCEPTED', 'collector', 'events.accepted'),
    ],
    subscribe: [hearsOf('EVENTS_ACCEPTED'), ...amongMembers('collector')],
  },
  'code-sandbox.main': {
    publish: [contracts.FetchUrl.subject],
    subscribe: [...callsOf('sandbox'), contracts.CODE_SWITCHED_SUBJECT],
  },
};

const inbox = (user: string) => `_INBOX_${user}.>`;

/** Users of processes that run only where the operator wants them. A broker without their passwords does without them. */
const OPTIONAL_USERS = OPTIONAL_PROCESSES.map((process) => NATS_USER_OF[process]);

/** Permissions by user: those in {@link NATS_USER_OF}, and the migration step's. */
export function natsPermissions(): Record<string, NatsPermissions> {
  const users: Record<string, NatsPermissions> = {
    [NATS_MIGRATE_USER]: {
      publish: [`${API}.INFO`, `${API}.STREAM.*.*`, `${API}.CONSUMER.>`],
      subscribe: [inbox(NATS_MIGRATE_USER)],
    },
  };
  for (const process of [...PROCESSES, ...OPTIONAL_PROCESSES]) {
    const user = NATS_USER_OF[process];
    const { publish, subscribe } = PERMISSIONS[process];
    const health = `ops.${process.replace('.', '-')}.health.v1`;
    users[user] = { publish, subscribe: [...subscribe, health, contracts.ROLL_CALL_SUBJECT, inbox(user)] };
  }
  return users;
}

/**
 * The users as a part of a server's configuration, for inclusion in `authorization`. Each password comes from the server's
 * environment: `GATEWAY_NATS_PASSWORD` and so on. A server does not start without one, so there is a file without the archiver.
 */
export function natsUsersFile({ archive }: { archive: boolean }): string {
  const wanted = Object.entries(natsPermissions()).filter(([user]) => archive || !OPTIONAL_USERS.includes(user));
  const users = wanted.map(([user, { publish, subscribe }]) => {
    const list = (subjects: string[]) => subjects.map((subject) => `\n        ${JSON.stringify(subject)}`).join('');
    return `  {
    user: ${user}
    password: $${user.toUpperCase()}_NATS_PASSWORD
    permissions: {
      publish: [${list(publish)}
      ]
      subscribe: [${list(subscribe)}
      ]
      allow_responses: true
    }
  }`;
  });
  return `# Made from libs/local-servers/src/nats-users.ts by "npm run nats-users"; a test compares them.\nusers: [\n${users.join('\n')}\n]\n`;
}
