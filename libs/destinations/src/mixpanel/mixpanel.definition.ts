import {
  anything,
  choice,
  decidesHost,
  flag,
  listOf,
  required,
  secret,
  text,
  vendorDefinition,
} from '../toolkit/index.js';

const PROPERTY = ['property'];

export const mixpanelDefinition = vendorDefinition({
  name: 'MP',
  displayName: 'Mixpanel',
  messageTypes: ['identify', 'track', 'page', 'screen', 'group', 'alias'],
  transformAtV1: 'router',
  config: {
    token: required(text('Project token')),
    dataResidency: decidesHost(choice(['us', 'eu', 'in'], 'Where the project keeps its data')),
    identityMergeApi: choice(['simplified', 'original'], 'How the project merges identities; original when not given'),
    groupKeySettings: listOf(['groupKey'], 'Group keys of the project'),
    useNewMapping: flag('Send first and last names as $first_name and $last_name'),
    setOnceProperties: listOf(PROPERTY, 'Traits that are set once'),
    unionProperties: listOf(PROPERTY, 'Traits that are merged into lists'),
    appendProperties: listOf(PROPERTY, 'Traits that are appended to lists'),
    superProperties: listOf(PROPERTY, 'Read by the SDKs'),
    propIncrements: listOf(PROPERTY, 'Properties of events that are added up in the profile'),
    eventIncrements: listOf(PROPERTY, 'Events that are counted in the profile'),
    dropTraitsInTrackEvent: flag('Leave the traits out of events'),
    strictMode: flag('Have Mixpanel check every event'),
    useUserDefinedPageEventName: flag('Name page events by userDefinedPageEventTemplate'),
    userDefinedPageEventTemplate: text('Name of page events; {{ path }} is filled in from the event'),
    useUserDefinedScreenEventName: flag('Name screen events by userDefinedScreenEventTemplate'),
    userDefinedScreenEventTemplate: text('Name of screen events; {{ path }} is filled in from the event'),
    userDeletionApi: decidesHost(choice(['engage', 'task'], 'Delete profiles only, or with `task` all data')),
    gdprApiToken: secret('For `task`'),
    projectId: anything('Project id'),
  },
});
