import * as kit from '../toolkit/index.js';

/** Iterable's ids of campaigns and templates. */
const SENT_BY: kit.Mapping = {
  campaignId: { from: 'properties.campaignId', as: kit.toInteger },
  templateId: { from: 'properties.templateId', as: kit.toInteger },
};

export const PERSON: kit.Mapping = {
  email: { from: kit.EMAIL, as: kit.toText },
  userId: { from: kit.USER_ID, as: kit.toText },
};

export const EVENT: kit.Mapping = {
  ...PERSON,
  ...SENT_BY,
  createdAt: { from: kit.TIMESTAMP, as: kit.toUnixMillis },
};

export const PURCHASE: kit.Mapping = {
  ...SENT_BY,
  id: { from: kit.property('order_id', 'orderId', 'checkout_id'), as: kit.toText },
  createdAt: { from: kit.TIMESTAMP, as: kit.toUnixMillis },
  total: { from: kit.property('total', 'revenue', 'value'), as: kit.toNumber },
};

export const ITEM: kit.Mapping = {
  id: ['product_id', 'productId', 'id'],
  sku: 'sku',
  name: 'name',
  categories: {
    from: 'category',
    as: (category) =>
      kit
        .toText(category)
        ?.split(',')
        .map((one) => one.trim()),
  },
  price: { from: 'price', as: kit.toNumber },
  quantity: { from: 'quantity', as: kit.toInteger },
  imageUrl: ['image_url', 'imageUrl'],
  url: 'url',
};
