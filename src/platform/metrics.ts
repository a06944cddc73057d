// The figures that /metrics shows, kept in memory by prom-client. Each name is declared here, so this file is the list.
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  readonly registry: Registry
  readonly requests: Counter<'method' | 'route' | 'status'>
  readonly requestSeconds: Histogram<'method' | 'route'>
  /** Delivery attempts by outcome: accepted, deferred, refused. */
  readonly deliveries: Counter<'transport' | 'outcome'>
  /** Projects that were suspended, by reason. */
  readonly suspensions: Counter<'reason'>
  /** Opens and clicks by what became of them: recorded, lost, excess. */
  readonly trackingHits: Counter<'outcome'>
  /** Mails that came back, by what became of them: applied, unknownMessage, notBelieved, noNews, answer, notUnderstood. */
  readonly returnedMail: Counter<'outcome'>
  /** Messages that a receiver refused for the sender's sake or by policy. */
  readonly refusals: Counter<'receiver'>
  /** Finished runs of jobs by kind and outcome: completed, retried, snoozed, failed, released. */
  readonly jobs: Counter<'kind' | 'outcome'>
  readonly jobSeconds: Histogram<'kind'>
  /** Jobs waiting to run now, by priority band. */
  readonly queueDepth: Gauge<'band'>
  /** Age in seconds of the oldest due job, by priority band. */
  readonly queueAge: Gauge<'band'>
  /** 1 while no mail leaves until `waxwing resume`. */
  readonly sendingPaused: Gauge
  readonly databaseUp: Gauge
  readonly databaseSeconds: Gauge
  readonly residentBytes: Gauge
  /** 0 while a transport fails as a whole, as this process has found it. */
  readonly transportWorking: Gauge<'transport'>
  /** Emails that were tried and wait for another attempt. */
  readonly emailsRetrying: Gauge
  /** Age in seconds of the oldest of them. */
  readonly emailsRetryingAge: Gauge
  /** Room left where DATA_DIR is. */
  readonly diskFreeBytes: Gauge
  /** When the last backup was finished, in seconds since 1970; 0 if none was made on this machine. */
  readonly lastBackup: Gauge
}

const seconds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export function makeMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const metrics: Metrics = {
    registry,
    requests: new Counter({
      name: 'waxwing_http_requests_total',
      help: 'HTTP requests answered',
      labelNames: ['method', 'route', 'status'],
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'waxwing_http_request_seconds',
      help: 'Time to answer',
      labelNames: ['method', 'route'],
      buckets: seconds,
      registers,
    }),
    deliveries: new Counter({
      name: 'waxwing_delivery_attempts_total',
      help: 'Delivery attempts by outcome',
      labelNames: ['transport', 'outcome'],
      registers,
    }),
    suspensions: new Counter({
      name: 'waxwing_project_suspensions_total',
      help: 'Projects that were suspended',
      labelNames: ['reason'],
      registers,
    }),
    trackingHits: new Counter({
      name: 'waxwing_tracking_hits_total',
      help: 'Opens and clicks that came in, people and programs alike',
      labelNames: ['outcome'],
      registers,
    }),
    returnedMail: new Counter({
      name: 'waxwing_returned_mail_total',
      help: 'Mails that came back, by what became of them',
      labelNames: ['outcome'],
      registers,
    }),
    refusals: new Counter({
      name: 'waxwing_refusals_total',
      help: 'Messages that a receiver refused by policy or for the sender',
      labelNames: ['receiver'],
      registers,
    }),
    jobs: new Counter({
      name: 'waxwing_jobs_total',
      help: 'Job runs by kind and outcome',
      labelNames: ['kind', 'outcome'],
      registers,
    }),
    jobSeconds: new Histogram({
      name: 'waxwing_job_seconds',
      help: 'Time a job ran',
      labelNames: ['kind'],
      buckets: seconds,
      registers,
    }),
    queueDepth: new Gauge({
      name: 'waxwing_queue_depth',
      help: 'Jobs that are due and not running',
      labelNames: ['band'],
      registers,
    }),
    queueAge: new Gauge({
      name: 'waxwing_queue_age_seconds',
      help: 'Age of the oldest due job',
      labelNames: ['band'],
      registers,
    }),
    ...instanceGauges(registers),
  }
  beginAtZero(metrics)
  return metrics
}

/** A series that begins with its first event shows Prometheus no increase, so those that alerts look at are there from the start. */
function beginAtZero({ suspensions, trackingHits, returnedMail }: Metrics): void {
  for (const reason of ['PAYMENT_FAILED', 'EMAIL_REPUTATION', 'PHISHING_DETECTED', 'MANUAL'])
    suspensions.inc({ reason }, 0)
  for (const outcome of ['recorded', 'lost', 'excess']) trackingHits.inc({ outcome }, 0)
  for (const outcome of ['applied', 'notUnderstood']) returnedMail.inc({ outcome }, 0)
}

/** What is looked at when somebody reads the figures. */
function instanceGauges(
  registers: Registry[],
): Pick<
  Metrics,
  | 'sendingPaused'
  | 'databaseUp'
  | 'databaseSeconds'
  | 'residentBytes'
  | 'transportWorking'
  | 'emailsRetrying'
  | 'emailsRetryingAge'
  | 'diskFreeBytes'
  | 'lastBackup'
> {
  return {
    transportWorking: new Gauge({
      name: 'waxwing_transport_working',
      help: '0 while a transport fails as a whole',
      labelNames: ['transport'],
      registers,
    }),
    emailsRetrying: new Gauge({
      name: 'waxwing_emails_retrying',
      help: 'Emails that were tried and wait for another attempt',
      registers,
    }),
    emailsRetryingAge: new Gauge({
      name: 'waxwing_emails_retrying_age_seconds',
      help: 'Age of the oldest email that waits for another attempt',
      registers,
    }),
    diskFreeBytes: new Gauge({
      name: 'waxwing_disk_free_bytes',
      help: 'Free space on the disk of DATA_DIR',
      registers,
    }),
    lastBackup: new Gauge({
      name: 'waxwing_last_backup_timestamp_seconds',
      help: 'Time of the last backup; 0 if there is none',
      registers,
    }),
    sendingPaused: new Gauge({
      name: 'waxwing_sending_paused',
      help: '1 while sending is paused for the whole instance',
      registers,
    }),
    databaseUp: new Gauge({ name: 'waxwing_database_up', help: '1 if the database answers', registers }),
    databaseSeconds: new Gauge({
      name: 'waxwing_database_ping_seconds',
      help: 'Time until the database answers, with the wait for a free connection',
      registers,
    }),
    residentBytes: new Gauge({
      name: 'process_resident_memory_bytes',
      help: 'Memory of this process, without the built-in database',
      registers,
      collect() {
        this.set(process.memoryUsage.rss())
      },
    }),
  }
}
