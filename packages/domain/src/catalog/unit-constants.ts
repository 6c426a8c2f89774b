/** Exact definitions of units. */
export const mile = { m: 1609.344, km: 1.609344 };
export const yard = { m: 0.9144 };
export const foot = { m: 0.3048, cm: 30.48 };
export const inch = { m: 0.0254, cm: 2.54 };
export const pound = { kg: 0.45359237, g: 453.59237 };
export const ounce = { kg: 0.028349523125, g: 28.349523125 };
export const stone = { kg: 6.35029318 };
export const usFluidOunce = { mL: 29.5735295625 };
export const usCup = { mL: 236.5882365 };
export const usPint = { mL: 473.176473 };
export const imperialFluidOunce = { mL: 28.4130625 };
export const imperialCup = { mL: 284.130625 };
export const imperialPint = { mL: 568.26125 };
/** The thermochemical calorie. */
export const kilocalorie = { kJ: 4.184, J: 4184 };
/** The conventional millimeter of mercury and centimeter of water. */
export const millimeterOfMercury = { Pa: 133.322387415 };
export const centimeterOfWater = { Pa: 98.0665 };
