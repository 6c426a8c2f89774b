import { progress, renderTable } from './report.ts';

/** A fault in a copy of the service. A comparison that cannot detect it proves nothing by reporting none. */
interface PlantedFault {
  name: string;
  title: string;
}

/** The result of a run with a fault. */
export interface Sighting {
  isDetected: boolean;
  /** The check that detected the fault, or should have. */
  sign: string;
  /** All counts of the run. */
  inAll: string;
}

/** The faults, formatted for `--help`. */
export function listFaults(plants: readonly PlantedFault[]): string {
  const width = Math.max(...plants.map(({ name }) => name.length));
  return `Faults:\n${plants.map(({ name, title }) => `  ${name.padEnd(width)}  ${title}`).join('\n')}`;
}

/** The faults selected by the options, or null if there are none. Exits on an unknown name. */
export function chooseFaults<Plant extends PlantedFault>(
  plants: readonly Plant[],
  options: { plant?: string | undefined; 'plant-all': boolean },
): readonly Plant[] | null {
  if (options['plant-all']) return plants;
  if (options.plant === undefined) return null;
  const chosen = plants.filter(({ name }) => name === options.plant);
  if (chosen.length > 0) return chosen;
  console.error(
    `Unknown fault: ${options.plant}. Choose one of ${plants.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(1);
}

/** Runs with each fault and prints which were found. Sets exit code 1 if one was not. */
export async function findFaults<Plant extends PlantedFault>(
  plants: readonly Plant[],
  seed: string,
  run: (plant: Plant) => Promise<Sighting>,
): Promise<void> {
  const rows: string[][] = [];
  let detectedCount = 0;
  for (const plant of plants) {
    progress(`planted fault: ${plant.title}`);
    const startedAt = performance.now();
    const { isDetected, sign, inAll } = await run(plant);
    if (!isDetected) process.exitCode = 1;
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    rows.push([plant.name, isDetected ? 'found' : 'NOT FOUND', sign, `${inAll}; ${seconds} s`]);
    if (isDetected) detectedCount += 1;
  }
  console.log(
    `\nPlanted faults, seed ${seed}\n\n${renderTable(['fault', 'result', 'detected by', 'counts'], rows)}`,
  );
  console.log(`\nPlanted faults: ${detectedCount} of ${plants.length} found`);
}
