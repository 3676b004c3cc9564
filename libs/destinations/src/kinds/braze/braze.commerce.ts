import type { JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';

/** Numbers of these purchases may be followed by a unit, such as `12.50 EUR`. */
const PRODUCT: kit.Mapping = {
  product_id: { from: ['product_id', 'sku'], as: kit.toText },
  price: { from: 'price', as: kit.leadingNumber },
  currency: { from: 'currency', as: kit.toText },
  quantity: { from: 'quantity', as: kit.leadingInteger },
};
/** Names that Braze reserves in purchases, and those that the table reads. */
const RESERVED_IN_PURCHASES = ['time', 'event_name', 'product_id', 'sku', 'quantity', 'price', 'currency'];

/**
 * The purchases of an order, one per product. The currency of the order wins. Braze requires all four fields, so a product
 * without one refuses the event. https://www.braze.com/docs/api/objects_filters/purchase_object
 */
export function purchasesOf(event: JsonObject, config: JsonObject, identity: JsonObject): JsonObject[] {
  const time = kit.firstAt(event, kit.TIMESTAMP) ?? kit.refuse('Order Completed needs a timestamp');
  const orderCurrency = kit.valueAt(event, kit.CURRENCY);
  return productsOf(event).map((product, index) => {
    const currency = kit.isGiven(orderCurrency) ? orderCurrency : product['currency'];
    const purchase = kit.mapFields({ ...product, currency }, PRODUCT);
    for (const key of Object.keys(PRODUCT)) {
      if (!(key in purchase)) kit.refuse(`Order Completed: product ${index} has no ${key}`);
    }
    const properties = kit.omit(product, RESERVED_IN_PURCHASES);
    const withProperties = kit.isOn(config, 'sendPurchaseEventWithExtraProperties') && !kit.isEmpty(properties);
    return { ...purchase, time, ...(withProperties && { properties }), ...identity };
  });
}

function productsOf(event: JsonObject): JsonObject[] {
  const given = kit.valueAt(event, kit.PRODUCTS);
  const products = kit.productList(event);
  if (!Array.isArray(given) || products.length === 0) kit.refuse('Order Completed needs a list properties.products');
  if (products.length < given.filter((product) => product !== null).length) {
    kit.refuse('Order Completed: each of properties.products must be an object');
  }
  return products;
}
