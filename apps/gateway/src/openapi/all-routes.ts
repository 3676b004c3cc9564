import { PLANE_MODULES } from '../app.module.js';
import { controllersOf, type ModuleRoute, routesOf } from '../http/routes.js';
import { INTAKE_ROUTES } from '../intake/intake.api.js';

/** Every route of a gateway that serves both planes. */
export const allRoutes = (): readonly ModuleRoute[] => [
  ...Object.values(PLANE_MODULES)
    .flat()
    .flatMap((module) => routesOf(controllersOf(module))),
  ...INTAKE_ROUTES,
];
