import { Module } from '@nestjs/common';
import { EmptyListController } from './empty-list.controller.js';

/** Lists of what there is none of. */
@Module({ controllers: [EmptyListController] })
export class EmptyListsModule {}
