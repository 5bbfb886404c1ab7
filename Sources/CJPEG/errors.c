#include "errors.h"

#include <string.h>

#include <jerror.h>

static void format(j_common_ptr common, char *words, size_t size) {
  char buffer[JMSG_LENGTH_MAX];
  (*common->err->format_message)(common, buffer);
  snprintf(words, size, "%s", buffer);
}

static void leave(j_common_ptr common) {
  ckc_errors *errors = (ckc_errors *)common->err;
  format(common, errors->report->error, sizeof errors->report->error);
  errors->report->is_memory = common->err->msg_code == JERR_OUT_OF_MEMORY;
  longjmp(errors->escape, 1);
}

static void collect(j_common_ptr common, int level) {
  ckc_errors *errors = (ckc_errors *)common->err;
  if (level >= 0) return;
  // Rows outside the crop are skipped, which libjpeg reports as extraneous data. The bytes between
  // segments were checked before.
  if (common->err->msg_code == JWRN_EXTRANEOUS_DATA && errors->passes_over) return;
  if (errors->report->warnings == 0) {
    format(common, errors->report->warning, sizeof errors->report->warning);
  }
  errors->report->warnings++;
}

static void say_nothing(j_common_ptr common) { (void)common; }

struct jpeg_error_mgr *ckc_errors_start(ckc_errors *errors, ckc_jpeg_report *report) {
  struct jpeg_error_mgr *base = jpeg_std_error(&errors->base);
  base->error_exit = leave;
  base->emit_message = collect;
  base->output_message = say_nothing;
  errors->report = report;
  return base;
}

static void count_scans(j_common_ptr common) {
  ckc_progress *progress = (ckc_progress *)common->progress;
  ckc_errors *errors = (ckc_errors *)common->err;
  if (!common->is_decompressor ||
      ((j_decompress_ptr)common)->input_scan_number <= progress->most_scans) {
    return;
  }
  snprintf(errors->report->error, sizeof errors->report->error, "it has too many scans");
  longjmp(errors->escape, 1);
}

void ckc_progress_start(ckc_progress *progress, j_decompress_ptr source, int most_scans) {
  memset(progress, 0, sizeof *progress);
  progress->base.progress_monitor = count_scans;
  progress->most_scans = most_scans;
  source->progress = &progress->base;
}

void ckc_segments_write(j_compress_ptr target, const ckc_jpeg_segment *segments, size_t count) {
  for (size_t i = 0; i < count; i++) {
    jpeg_write_marker(target, segments[i].marker, segments[i].bytes, (unsigned)segments[i].count);
  }
}
