import { Module } from '@nestjs/common';
import { DeadLetterRepository } from './dead-letter.repository.js';
import { DeadLetterDays } from './dead-letter-days.js';
import { DeadLetterWriter } from './dead-letter-writer.js';

const providers = [DeadLetterDays, DeadLetterRepository, DeadLetterWriter];

/** Keeps the events that will not be tried again. */
@Module({ providers, exports: providers })
export class DeadLettersModule {}
