// One registry for all of these: its start takes longer than most cases.
import './concurrency.cases.js';
import './credentials.cases.js';
import './tenants.cases.js';
import './trials.cases.js';
import './writers.cases.js';
