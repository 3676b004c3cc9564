// One registry for all of these: its start takes longer than most cases.
import './acts.cases.js';
import './commits.cases.js';
import './entity-tags.cases.js';
import './libraries.cases.js';
import './limits.cases.js';
import './transformations.cases.js';
import './unique-names.cases.js';
