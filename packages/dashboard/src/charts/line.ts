export interface Box {
  width: number;
  height: number;
  /** Space on every side for the stroke and the last dot. */
  margin: number;
}

export interface Point {
  x: number;
  y: number;
}

/** Scales evenly spaced values into a box. Null stays null. */
export function pointsOf(
  values: readonly (number | null)[],
  { width, height, margin }: Box,
  [lowest, highest]: readonly [number, number] = extentOf(values),
): (Point | null)[] {
  const stepX = (width - 2 * margin) / Math.max(1, values.length - 1);
  const scaleY = (height - 2 * margin) / (highest - lowest || 1);
  return values.map((value, at) =>
    value === null ? null : { x: margin + at * stepX, y: height - margin - (value - lowest) * scaleY },
  );
}

/** The lowest and highest known value. */
export function extentOf(values: readonly (number | null)[]): [number, number] {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? [0, 1] : [Math.min(...known), Math.max(...known)];
}

/** Returns a line path that is interrupted at gaps. */
export function lineOf(points: readonly (Point | null)[]): string {
  let drawing = false;
  return points
    .map((point) => {
      const command = drawing ? 'L' : 'M';
      drawing = point !== null;
      return point === null ? '' : `${command}${round(point.x)} ${round(point.y)}`;
    })
    .join('');
}

/** Returns the area under a line, interrupted at gaps. */
export function areaOf(points: readonly (Point | null)[], bottom: number): string {
  return runsOf(points)
    .map((run) => `${lineOf(run)}L${round(run.at(-1)!.x)} ${bottom}L${round(run[0]!.x)} ${bottom}Z`)
    .join('');
}

function runsOf(points: readonly (Point | null)[]): Point[][] {
  const runs: Point[][] = [[]];
  for (const point of points) {
    if (point) runs.at(-1)!.push(point);
    else if (runs.at(-1)!.length > 0) runs.push([]);
  }
  return runs.filter((run) => run.length > 0);
}

const round = (value: number) => Math.round(value * 10) / 10;
