import { progress, renderTable } from './report.ts';

/** A fault that is put into a copy of the service. A comparison that cannot see it would prove nothing by seeing none. */
interface PlantedFault {
  name: string;
  title: string;
}

/** What a run with a fault showed. */
export interface Sighting {
  isFound: boolean;
  /** By what it was found, or should have been. */
  sign: string;
  /** Everything that the run counted. */
  inAll: string;
}

/** The faults, as `--help` lists them. */
export function listFaults(plants: readonly PlantedFault[]): string {
  const width = Math.max(...plants.map(({ name }) => name.length));
  return `Faults:\n${plants.map(({ name, title }) => `  ${name.padEnd(width)}  ${title}`).join('\n')}`;
}

/** The faults that the options ask for; null when none does. A name that is none ends the process. */
export function chooseFaults<Plant extends PlantedFault>(
  plants: readonly Plant[],
  options: { plant?: string | undefined; 'plant-all': boolean },
): readonly Plant[] | null {
  if (options['plant-all']) return plants;
  if (options.plant === undefined) return null;
  const chosen = plants.filter(({ name }) => name === options.plant);
  if (chosen.length > 0) return chosen;
  console.error(`No such fault: ${options.plant}. There are ${plants.map(({ name }) => name).join(', ')}.`);
  process.exit(1);
}

/** Runs with each fault in turn and prints which were found; one that was not makes the process end with 1. */
export async function findFaults<Plant extends PlantedFault>(
  plants: readonly Plant[],
  seed: string,
  run: (plant: Plant) => Promise<Sighting>,
): Promise<void> {
  const rows: string[][] = [];
  let found = 0;
  for (const plant of plants) {
    progress(`planted: ${plant.title}`);
    const startedAt = performance.now();
    const { isFound, sign, inAll } = await run(plant);
    if (!isFound) process.exitCode = 1;
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    rows.push([plant.name, isFound ? 'found' : 'NOT FOUND', sign, `${inAll}; ${seconds} s`]);
    if (isFound) found += 1;
  }
  console.log(`\nPlanted faults, seed ${seed}\n\n${renderTable(['fault', '', 'sign', 'in all'], rows)}`);
  console.log(`\nPlanted faults: ${found} of ${plants.length} found`);
}
