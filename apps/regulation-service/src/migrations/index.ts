import { CreateRegulations1764000000001 } from './0001-create-regulations.js';
import { CreateAudit1764000000002 } from './0002-create-audit.js';
import { CreateDeletions1764000000003 } from './0003-create-deletions.js';
import { CreateDeadLetters1764000000004 } from './0004-create-dead-letters.js';
import { CreateBudgets1764000000005 } from './0005-create-budgets.js';
import { IndexRegulations1764000000006 } from './0006-index-regulations.js';
import { CreateIdempotencyKeys1764000000007 } from './0007-create-idempotency-keys.js';
import { FollowDeletions1764000000008 } from './0008-follow-deletions.js';
import { RememberPepper1764000000009 } from './0009-remember-pepper.js';
import { FindActs1764000000010 } from './0010-find-acts.js';
import { CreateAnswerLeases1764000000011 } from './0011-create-answer-leases.js';
import { RememberPeppers1764000000012 } from './0012-remember-peppers.js';
import { RememberLifted1764000000013 } from './0013-remember-lifted.js';
import { ClaimByWorkspace1764000000014 } from './0014-claim-by-workspace.js';
import { BarriersByWorkspace1764000000015 } from './0015-barriers-by-workspace.js';
import { SendByWorkspace1764000000016 } from './0016-send-by-workspace.js';
import { FindMended1764000000017 } from './0017-find-mended.js';

/** In order. Never change a released migration. */
export const migrations = [
  CreateRegulations1764000000001,
  CreateAudit1764000000002,
  CreateDeletions1764000000003,
  CreateDeadLetters1764000000004,
  CreateBudgets1764000000005,
  IndexRegulations1764000000006,
  CreateIdempotencyKeys1764000000007,
  FollowDeletions1764000000008,
  RememberPepper1764000000009,
  FindActs1764000000010,
  CreateAnswerLeases1764000000011,
  RememberPeppers1764000000012,
  RememberLifted1764000000013,
  ClaimByWorkspace1764000000014,
  BarriersByWorkspace1764000000015,
  SendByWorkspace1764000000016,
  FindMended1764000000017,
];
