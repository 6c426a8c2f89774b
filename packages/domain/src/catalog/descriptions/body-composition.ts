export const bodyCompositionDescriptions: Readonly<Record<string, string>> = {
  weight: 'Body weight at the last weigh-in of the day.',
  height: 'Standing height.',
  body_mass_index:
    'Weight divided by height squared. Derived, with the height of the profile if none was measured that day, when no device reports it.',
  body_fat_percentage: 'Fat as a share of body weight.',
  body_fat_mass: 'Mass of body fat.',
  lean_body_mass: 'Body weight without fat.',
  muscle_mass: 'Total muscle tissue estimated by the scale.',
  skeletal_muscle_mass: 'Mass of the muscles attached to the skeleton.',
  bone_mass: 'Bone mineral mass estimated by the scale.',
  body_water_mass: 'Mass of total body water.',
  body_water_percentage: 'Water as a share of body weight.',
  intracellular_water: 'Water inside cells, measured by bioimpedance.',
  extracellular_water: 'Water outside cells, measured by bioimpedance.',
  visceral_fat_level: 'Vendor index of fat around the organs. Each vendor has its own scale.',
  metabolic_age:
    "Age whose average resting metabolism matches this person's, according to the vendor's table.",
  waist_circumference: 'Waist circumference at the navel.',
  hip_circumference: 'Hip circumference at the widest point.',
  waist_to_height_ratio:
    'Waist divided by height. The height of the profile counts if none was measured that day.',
};
