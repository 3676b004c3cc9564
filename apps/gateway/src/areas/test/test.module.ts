import { Module } from '@nestjs/common';
import { InventoryModule } from '../../inventory/inventory.module.js';
import { TestController } from './test.controller.js';
import { TestService } from './test.service.js';
import { TestRunController } from './test-run.controller.js';

/** Area C, in front of the test runner. */
@Module({ imports: [InventoryModule], controllers: [TestController, TestRunController], providers: [TestService] })
export class TestModule {}
