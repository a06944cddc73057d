ALTER TABLE "email_attempts" ALTER COLUMN "transport" DROP NOT NULL;
