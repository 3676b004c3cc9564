import { Module } from '@nestjs/common';
import { EmptyListController } from './empty-list.controller.js';

/** Empty lists of objects that Weir does not have. */
@Module({ controllers: [EmptyListController] })
export class EmptyListsModule {}
