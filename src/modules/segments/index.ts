// What others may use of segments; nothing else is imported from outside.
export { type SegmentUse, segmentUses } from './hooks'
export { segmentJobs, segmentSchedules } from './jobs'
export { segmentsRoutes } from './routes'
export {
  addMembers,
  conditionSql,
  createSegment,
  eventsInSegments,
  fieldsInSegments,
  getSegment,
  givenConditionSql,
  holdSegment,
  inFilterTurn,
  listSegments,
  matchesCondition,
  purgeContactMembers,
  resolveSegments,
  segmentSql,
} from './service'
