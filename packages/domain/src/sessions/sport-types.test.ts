import { expect, test } from 'vitest';
import { findMetric } from '../catalog/catalog.ts';
import { distanceMetricOf, familyOf, sportTypeOf, sportTypes } from './sport-types.ts';
import { sportFamilies } from './sports.ts';

test('recognizes every sport by its own name, in exactly one family', () => {
  const all = Object.values(sportFamilies).flatMap((sports) => Object.keys(sports));
  expect(new Set(all).size).toBe(all.length);
  expect(sportTypes).toEqual(all);
  for (const sport of sportTypes) {
    expect(sport).toMatch(/^[a-z_]+$/);
    expect(sportTypeOf(sport)).toBe(sport);
    expect(Object.keys(sportFamilies[familyOf(sport)])).toContain(sport);
  }
});

test('maps no name to two sports', () => {
  const names = Object.values(sportFamilies).flatMap((sports) =>
    Object.entries<readonly string[]>(sports).flatMap(([sport, others]) =>
      [sport, ...others].map((name) => name.replaceAll('_', '')),
    ),
  );
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test.each([
  ['Running', 'running'],
  ['TrailRun', 'trail_running'],
  ['trail run', 'trail_running'],
  ['TREADMILL_RUNNING', 'treadmill_running'],
  ['VirtualRide', 'indoor_cycling'],
  ['BIKING', 'cycling'],
  ['E-Bike Ride', 'e_biking'],
  ['LAP_SWIMMING', 'swimming'],
  ['SWIMMING_OPEN_WATER', 'open_water_swimming'],
  ['HKWorkoutActivityTypeTraditionalStrengthTraining', 'strength_training'],
  ['HKWorkoutActivityTypeWheelchairRunPace', 'wheelchair_running'],
  ['EXERCISE_TYPE_HIGH_INTENSITY_INTERVAL_TRAINING', 'hiit'],
  ['EXERCISE_SESSION_TYPE_BIKING_STATIONARY', 'indoor_cycling'],
  ['weightlifting', 'strength_training'],
  ['NordicSki', 'cross_country_skiing'],
  ['RESORT_SKIING_SNOWBOARDING_WS', 'downhill_skiing'],
  ['spin', 'indoor_cycling'],
  ['Soccer', 'football'],
  ['StandUpPaddling', 'stand_up_paddling'],
  ['WeightTraining', 'strength_training'],
  ['Quidditch', 'other'],
  ['', 'other'],
  ['__proto__', 'other'],
  ['constructor', 'other'],
])('maps %j to %s', (text, sport) => expect(sportTypeOf(text)).toBe(sport));

/** Workout activity types of Apple HealthKit. */
const healthkit =
  'americanFootball archery australianFootball badminton barre baseball basketball bowling boxing cardioDance climbing ' +
  'cooldown coreTraining cricket crossCountrySkiing crossTraining curling cycling dance danceInspiredTraining discSports ' +
  'downhillSkiing elliptical equestrianSports fencing fishing fitnessGaming flexibility functionalStrengthTraining golf ' +
  'gymnastics handCycling handball highIntensityIntervalTraining hiking hockey hunting jumpRope kickboxing lacrosse ' +
  'martialArts mindAndBody mixedCardio mixedMetabolicCardioTraining paddleSports pickleball pilates play ' +
  'preparationAndRecovery racquetball rowing rugby running sailing skatingSports snowSports snowboarding soccer ' +
  'socialDance softball squash stairClimbing stairs stepTraining surfingSports swimBikeRun swimming tableTennis taiChi ' +
  'tennis trackAndField traditionalStrengthTraining transition underwaterDiving volleyball walking waterFitness ' +
  'waterPolo waterSports wheelchairRunPace wheelchairWalkPace wrestling yoga';

const healthConnect =
  'BADMINTON BASEBALL BASKETBALL BIKING BIKING_STATIONARY BOOT_CAMP BOXING CALISTHENICS CRICKET DANCING ELLIPTICAL ' +
  'EXERCISE_CLASS FENCING FOOTBALL_AMERICAN FOOTBALL_AUSTRALIAN FRISBEE_DISC GOLF GUIDED_BREATHING GYMNASTICS HANDBALL ' +
  'HIGH_INTENSITY_INTERVAL_TRAINING HIKING ICE_HOCKEY ICE_SKATING MARTIAL_ARTS PADDLING PARAGLIDING PILATES RACQUETBALL ' +
  'ROCK_CLIMBING ROLLER_HOCKEY ROWING ROWING_MACHINE RUGBY RUNNING RUNNING_TREADMILL SAILING SCUBA_DIVING SKATING SKIING ' +
  'SNOWBOARDING SNOWSHOEING SOCCER SOFTBALL SQUASH STAIR_CLIMBING STAIR_CLIMBING_MACHINE STRENGTH_TRAINING STRETCHING ' +
  'SURFING SWIMMING_OPEN_WATER SWIMMING_POOL TABLE_TENNIS TENNIS VOLLEYBALL WALKING WATER_POLO WEIGHTLIFTING WHEELCHAIR YOGA';

const strava =
  'AlpineSki BackcountrySki Badminton Canoeing Crossfit EBikeRide Elliptical EMountainBikeRide Golf GravelRide Handcycle ' +
  'HighIntensityIntervalTraining Hike IceSkate InlineSkate Kayaking Kitesurf MountainBikeRide NordicSki Pickleball Pilates ' +
  'Racquetball Ride RockClimbing RollerSki Rowing Run Sail Skateboard Snowboard Snowshoe Soccer Squash StairStepper ' +
  'StandUpPaddling Surfing Swim TableTennis Tennis TrailRun Velomobile VirtualRide VirtualRow VirtualRun Walk ' +
  'WeightTraining Wheelchair Windsurf Yoga';

test.each([
  ['HealthKit', healthkit],
  ['Health Connect', healthConnect],
  ['Strava', strava],
])('recognizes every sport of %s', (_, words) => {
  expect(words.split(' ').filter((word) => sportTypeOf(word) === 'other')).toEqual([]);
});

test('names catalog metrics for families with a distance of their own', () => {
  const named = new Set(sportTypes.flatMap((sport) => distanceMetricOf(sport) ?? []));
  expect([...named].toSorted()).toEqual([
    'cross_country_skiing',
    'cycling',
    'downhill_snow_sports',
    'rowing',
    'running',
    'swimming',
    'walking',
    'wheelchair_distance',
  ]);
  for (const id of named) expect(['km', 'm']).toContain(findMetric(id)?.unit);
});

test.each([
  ['treadmill_running', 'running'],
  ['hiking', 'walking'],
  ['handcycling', 'cycling'],
  ['open_water_swimming', 'swimming'],
  ['indoor_rowing', 'rowing'],
  ['snowboarding', 'downhill_snow_sports'],
  ['wheelchair', 'wheelchair_distance'],
  ['backcountry_skiing', null],
  ['tennis', null],
  ['other', null],
] as const)('assigns the distance of %s to %s', (sport, metric) =>
  expect(distanceMetricOf(sport)).toBe(metric),
);
