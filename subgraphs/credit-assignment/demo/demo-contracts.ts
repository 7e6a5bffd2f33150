import { bareDocument } from '../../../shared/tax-id.js';
import { company, person } from '../../../shared/demo/people.js';
import { createRandom } from '../../../shared/demo/random.js';
import type { NewContract } from '../credit-batches/check-contracts.js';

const dayMs = 86_400_000;

/**
 * Invents contracts for a batch of the demo: the same name yields the same contracts, except for their days.
 * @param today civil date in São Paulo
 */
export function demoContracts(name: string, count: number, today: string): NewContract[] {
  const random = createRandom(name);
  return Array.from({ length: count }, (_, index) => {
    const debtor = random.chance(30) ? company(random) : person(random);
    const due = new Date(Date.parse(today) + random.int(30, 540) * dayMs);
    return {
      externalId: `${name}-${String(index + 1).padStart(4, '0')}`,
      debtorDocument: bareDocument(debtor.document),
      faceValue: `${random.int(600, 24_000)}.${random.digits(2)}`,
      dueDate: due.toISOString().slice(0, 10),
    };
  });
}
