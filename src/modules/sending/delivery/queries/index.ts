// All SQL of delivery: what is booked before a message may leave.
export * from './bookings'
export * from './pace'
