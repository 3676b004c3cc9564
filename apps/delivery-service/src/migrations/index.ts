import { CreateDeliveries1764000000001 } from './0001-create-deliveries.js';
import { CreateUsedVersions1764000000002 } from './0002-create-used-versions.js';
import { DeadLetterOutputs1764000000004 } from './0004-dead-letter-outputs.js';
import { CreateDeliveryProgress1764000000005 } from './0005-create-delivery-progress.js';
import { CreateDeliveryCounts1764000000006 } from './0006-create-delivery-counts.js';
import { NameDeadLetters1764000000007 } from './0007-name-dead-letters.js';
import { DeadLettersByDay1764000000008 } from './0008-dead-letters-by-day.js';
import { ClearVendorTexts1764000000009 } from './0009-clear-vendor-texts.js';
import { CreateDeliveryShares1764000000010 } from './0010-create-delivery-shares.js';
import { CreateTraces1764000000011 } from './0011-create-traces.js';
import { CreateNotifications1764000000012 } from './0012-create-notifications.js';
import { DropUnusedIndex1764000000013 } from './0013-drop-unused-index.js';
import { RetriesByPartition1764000000014 } from './0014-retries-by-partition.js';
import { CountOnce1764000000015 } from './0015-count-once.js';
import { AttemptsByMinute1764000000016 } from './0016-attempts-by-minute.js';
import { CreateRangeReplays1764000000017 } from './0017-create-range-replays.js';
import { FollowArchivePurges1764000000018 } from './0018-follow-archive-purges.js';
import { ForgetArchivePurges1764000000019 } from './0019-forget-archive-purges.js';
import { BoundDeadLetters1764000000020 } from './0020-bound-dead-letters.js';
import { SendByWorkspace1764000000021 } from './0021-send-by-workspace.js';
import { BoundTraces1764000000022 } from './0022-bound-traces.js';
import { AttemptsByAge1764000000023 } from './0023-attempts-by-age.js';
import { CountUnreadableSegments1764000000024 } from './0024-count-unreadable-segments.js';
import { PurgeAfterWrites1764000000025 } from './0025-purge-after-writes.js';

/**
 * In order of execution. Never change a released migration. The missing number belongs to the test runner. Both services once
 * shared the schema `runner`, and an upgrade moves tables and the list of executed migrations (decision 0041).
 */
export const migrations = [
  CreateDeliveries1764000000001,
  CreateUsedVersions1764000000002,
  DeadLetterOutputs1764000000004,
  CreateDeliveryProgress1764000000005,
  CreateDeliveryCounts1764000000006,
  NameDeadLetters1764000000007,
  DeadLettersByDay1764000000008,
  ClearVendorTexts1764000000009,
  CreateDeliveryShares1764000000010,
  CreateTraces1764000000011,
  CreateNotifications1764000000012,
  DropUnusedIndex1764000000013,
  RetriesByPartition1764000000014,
  CountOnce1764000000015,
  AttemptsByMinute1764000000016,
  CreateRangeReplays1764000000017,
  FollowArchivePurges1764000000018,
  ForgetArchivePurges1764000000019,
  BoundDeadLetters1764000000020,
  SendByWorkspace1764000000021,
  BoundTraces1764000000022,
  AttemptsByAge1764000000023,
  CountUnreadableSegments1764000000024,
  PurgeAfterWrites1764000000025,
];
