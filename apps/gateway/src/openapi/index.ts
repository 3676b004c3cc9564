import { PLANE_MODULES } from '../app.module.js';
import { controllersOf, type ModuleRoute, routesOf } from '../http/routes.js';
import { INTAKE_ROUTES } from '../intake/intake.api.js';

export { openApiDocument } from './document.js';

/** Every route of a gateway that serves both planes. */
export const allRoutes = (): readonly ModuleRoute[] => [
  ...routesOf(controllersOf(...Object.values(PLANE_MODULES).flat())),
  ...INTAKE_ROUTES,
];
