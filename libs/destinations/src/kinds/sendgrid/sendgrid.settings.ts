import type { JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';

/** Settings of a mail. Empty ones are left out by the caller. */
export const settingsOf = (event: JsonObject, config: JsonObject): JsonObject => ({
  asm: unsubscribing(config),
  mail_settings: mailSettings(kit.objectAt(event, 'properties.mailSettings'), config),
  tracking_settings: tracking(config),
});

const enabled = (isOn: boolean, more: JsonObject = {}) =>
  isOn ? { enable: true, ...kit.withoutEmpty(more) } : undefined;

/** An event may switch settings on, and never off. Only it may bypass lists of those who do not want mail. */
function mailSettings(own: JsonObject, config: JsonObject): JsonObject {
  const isOn = (key: string) => own[key] === true || kit.isOn(config, key);
  const text = (key: string) => kit.firstAt({ own, config }, [`own.${key}`, `config.${key}`]);
  const bypass = (key: string) => enabled(own[key] === true);
  const some = {
    bypass_spam_management: bypass('bypassSpamManagement'),
    bypass_bounce_management: bypass('bypassBounceManagement'),
    bypass_unsubscribe_management: bypass('bypassUnsubscribeManagement'),
  };
  const all = bypass('bypassListManagement');
  return kit.withoutEmpty({
    footer: enabled(isOn('footer'), { text: text('footerText'), html: text('footerHtml') }),
    sandbox_mode: enabled(isOn('sandboxMode')),
    ...(all ? { bypass_list_management: all } : some),
  });
}

function tracking(config: JsonObject): JsonObject {
  const text = (key: string) => kit.configText(config, key);
  const isOn = (key: string) => kit.isOn(config, key);
  const [clicks, clicksInText] = [isOn('clickTracking'), isOn('clickTrackingEnableText')];
  return kit.withoutEmpty({
    click_tracking: clicks || clicksInText ? { enable: clicks, enable_text: clicksInText } : undefined,
    open_tracking: enabled(isOn('openTracking'), { substitution_tag: text('openTrackingSubstitutionTag') }),
    subscription_tracking: enabled(isOn('subscriptionTracking'), {
      ...{ text: text('text'), html: text('html'), substitution_tag: text('substitutionTag') },
    }),
    ganalytics: enabled(isOn('ganalytics'), {
      ...{ utm_source: text('utmSource'), utm_medium: text('utmMedium'), utm_term: text('utmTerm') },
      ...{ utm_content: text('utmContent'), utm_campaign: text('utmCampaign') },
    }),
  });
}

/** Groups are shown only where one is unsubscribed from. */
function unsubscribing(config: JsonObject): JsonObject {
  const groupId = kit.toInteger(config['group']);
  if (groupId === undefined) return {};
  const shown = kit.configList(config, 'groupsToDisplay').map((group) => kit.toInteger(group['groupId']));
  return kit.withoutEmpty({ group_id: groupId, groups_to_display: shown.filter((id) => id !== undefined) });
}
