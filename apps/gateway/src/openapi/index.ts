export { allRoutes } from './all-routes.js';
export { openApiDocument } from './document.js';
