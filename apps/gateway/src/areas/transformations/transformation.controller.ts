import { Controller } from '@nestjs/common';
import { revisionRoutes } from './revision.routes.js';
import { TRANSFORMATION } from './transformation.schemas.js';
import { TransformationService } from './transformation.service.js';

/** Area A: transformations. */
@Controller('transformations')
export class TransformationController extends revisionRoutes(TRANSFORMATION) {
  constructor(readonly service: TransformationService) {
    super();
  }
}
