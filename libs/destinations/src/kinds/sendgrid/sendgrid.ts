import { defineKind } from '../../define-kind.js';
import * as kit from '../../toolkit/index.js';
import { contactCall, sendgridBatch } from './sendgrid.contact.js';
import { sendgridDeletion } from './sendgrid.deletion.js';
import { sendgridDeliver } from './sendgrid.deliver.js';
import { mailCall } from './sendgrid.mail.js';
import { sendgridRequests } from './sendgrid.requests.js';

export default defineKind({
  name: 'SENDGRID',
  displayName: 'SendGrid',
  messageTypes: ['identify', 'track'],
  transformAtV1: 'router',
  config: {
    apiKey: kit.required(kit.secret('API key with access to Marketing contacts and Mail Send')),
    subject: kit.text('Subject of mails'),
    listId: kit.text('List that contacts are added to'),
    customFieldsMapping: kit.listOf(['from', 'to'], 'Traits and the names of the custom fields that hold them'),
    templateId: kit.text('Template of mails'),
    mailFromTraits: kit.flag('Send to the email address of the traits'),
    replyToEmail: kit.text('Address for answers'),
    replyToName: kit.text('Name for answers'),
    IPPoolName: kit.text('Pool of IP addresses to send from'),
    fromEmail: kit.text('Address that mails come from'),
    fromName: kit.text('Name that mails come from'),
    eventNamesSettings: kit.listOf(['event'], 'Events that send a mail'),
    contents: kit.listOf(['type', 'value'], 'Content of mails'),
    attachments: kit.listOf(['content', 'contentId', 'disposition', 'filename', 'type'], 'Attachments of mails'),
    group: kit.number('Number of the unsubscribe group'),
    groupsToDisplay: kit.listOf(['groupId'], 'Unsubscribe groups that are shown'),
    footer: kit.flag('Add a footer'),
    footerText: kit.text('Footer as text'),
    footerHtml: kit.text('Footer as HTML'),
    sandboxMode: kit.flag('Check mails without sending them'),
    clickTracking: kit.flag('Track clicks'),
    clickTrackingEnableText: kit.flag('Track clicks in text too'),
    openTracking: kit.flag('Track opening'),
    openTrackingSubstitutionTag: kit.text('Where the tracking image stands'),
    subscriptionTracking: kit.flag('Add a link to unsubscribe'),
    text: kit.text('Text of the link to unsubscribe'),
    html: kit.text('HTML of the link to unsubscribe'),
    substitutionTag: kit.text('Where the link to unsubscribe stands'),
    ganalytics: kit.flag('Mark links for Google Analytics'),
    utmSource: kit.text('utm_source'),
    utmMedium: kit.text('utm_medium'),
    utmTerm: kit.text('utm_term'),
    utmContent: kit.text('utm_content'),
    utmCampaign: kit.text('utm_campaign'),
    bypassListManagement: kit.anything('Not read: an event bypasses lists with properties.mailSettings'),
  },
  example: {
    ...{ subject: 'Hello', fromEmail: 'shop@example.com', mailFromTraits: true },
    ...{ eventNamesSettings: [{ event: 'Order Completed' }], contents: [{ type: 'text/plain', value: 'Hi' }] },
  },
  requests: sendgridRequests,
  /** Users become contacts, and configured events become mails. */
  transform: (event, config) =>
    kit.byType(event, {
      identify: () => [contactCall(event, config)],
      track: () => [mailCall(event, config)],
    }),
  batch: sendgridBatch,
  deliver: sendgridDeliver,
  deletion: sendgridDeletion,
});
