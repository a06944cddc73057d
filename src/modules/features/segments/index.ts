// What others may use of segments; nothing else is imported from outside.
export { eventsDue, type SegmentUse, segmentDue, segmentReaders, segmentUses } from './hooks'
export { segmentJobs, segmentSchedules } from './jobs'
export { segmentAnswer, toSegment } from './model'
export type { SegmentRow } from './queries'
export { segmentsRoutes } from './routes'
export {
  addContacts,
  addMembers,
  conditionSql,
  createSegment,
  eventsInSegments,
  fieldsInSegments,
  getSegment,
  givenConditionSql,
  holdSegment,
  inFilterTurn,
  isSegmentDue,
  joinList,
  joinSegmentsOf,
  leaveList,
  listSegments,
  matchesCondition,
  predicateSql,
  reachedSegments,
  removeContactsFromSegments,
  requireComparable,
  requireList,
  resolveNamed,
  segmentSql,
  topicInSegments,
} from './service'
