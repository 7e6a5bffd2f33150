import { describeEnum } from '../../../shared/subgraph/describe-enum.js';
import type { MovementType } from './movement.js';

export const ChainEventTypeEnum = describeEnum<MovementType>('ChainEventType', 'What happened to tokens.', {
  MINT: 'They were made',
  TRANSFER: 'They changed hands',
  BURN: 'They were destroyed',
});
