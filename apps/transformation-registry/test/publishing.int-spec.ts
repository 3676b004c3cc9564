// One registry for all of these: its start takes longer than most cases.
import './evidence.cases.js';
import './reach.cases.js';
import './releases.cases.js';
import './replacing.cases.js';
import './replay.cases.js';
import './rollback.cases.js';
import './runtimes.cases.js';
import './saved-tests.cases.js';
