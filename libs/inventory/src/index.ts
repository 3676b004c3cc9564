export type { InventoryChange } from './inventory-contents.js';
export { type InventoryMark, InventoryMirror } from './inventory-mirror.js';
