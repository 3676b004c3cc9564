import { CreateSchemas1764000000001 } from './0001-create-schemas.js';
import { KeepPartsAndNotices1764000000002 } from './0002-keep-parts-and-notices.js';
import { FollowUsers1764000000003 } from './0003-follow-users.js';
import { FindNotices1764000000004 } from './0004-find-notices.js';
import { FindByWorkspace1764000000005 } from './0005-find-by-workspace.js';
import { KeepSamplesShown1764000000006 } from './0006-keep-samples-shown.js';
import { FindRecentNotices1764000000007 } from './0007-find-recent-notices.js';
import { RememberPeppers1764000000008 } from './0008-remember-peppers.js';
import { CountDays1764000000009 } from './0009-count-days.js';
import { FindLetters1764000000010 } from './0010-find-letters.js';
import { CountBytes1764000000011 } from './0011-count-bytes.js';
import { KeepFactParts1764000000012 } from './0012-keep-fact-parts.js';
import { KeepFailedPurges1764000000013 } from './0013-keep-failed-purges.js';

/** In order. Never change a released migration. */
export const migrations = [
  CreateSchemas1764000000001,
  KeepPartsAndNotices1764000000002,
  FollowUsers1764000000003,
  FindNotices1764000000004,
  FindByWorkspace1764000000005,
  KeepSamplesShown1764000000006,
  FindRecentNotices1764000000007,
  RememberPeppers1764000000008,
  CountDays1764000000009,
  FindLetters1764000000010,
  CountBytes1764000000011,
  KeepFactParts1764000000012,
  KeepFailedPurges1764000000013,
];
