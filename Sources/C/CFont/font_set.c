#include "CFont.h"

#include <fixed_arena.h>
#include <ft2build.h>
#include <string.h>

#include FT_FREETYPE_H
#include FT_ADVANCES_H
#include FT_MODULE_H
#include FT_OUTLINE_H

struct font_set {
  struct fixed_arena arena;
  struct FT_MemoryRec_ memory;
  FT_Library library;
  FT_Face faces[FONT_MOST_FACES];
  int32_t face_count;
};

/// An outline's unit is 1/64 pixel.
enum { unit_count = 64 };

static void *allocate(FT_Memory memory, long byte_count) {
  return byte_count > 0 ? fixed_arena_allocate(memory->user, (size_t)byte_count, 16) : NULL;
}

static void release(FT_Memory memory, void *block) { fixed_arena_free(memory->user, block); }

static void *resize(FT_Memory memory, long before, long after, void *block) {
  if (after > 0 && fixed_arena_resize(memory->user, block, (size_t)after)) return block;
  void *moved = allocate(memory, after);
  if (moved == NULL) return NULL;
  memcpy(moved, block, (size_t)(before < after ? before : after));
  release(memory, block);
  return moved;
}

struct font_set *font_set_make(void *memory, size_t byte_count) {
  const size_t head = (sizeof(struct font_set) + 15) / 16 * 16;
  if (byte_count / 16 * 16 <= 2 * head) return NULL;
  struct font_set *set = memory;
  *set = (struct font_set){.memory = {.alloc = allocate, .free = release, .realloc = resize}};
  set->memory.user = &set->arena;
  fixed_arena_reset(&set->arena, (unsigned char *)memory + head, byte_count / 16 * 16 - head);
  if (FT_New_Library(&set->memory, &set->library) != 0) return NULL;
  // It leaves out modules for which there is no memory; a font that needs one of them is refused.
  FT_Add_Default_Modules(set->library);
  return set;
}

/// Accepts only files that begin like outline fonts: others are packed, and FreeType unpacks some on the heap.
static int is_outline_font(const unsigned char *bytes, size_t byte_count) {
  static const unsigned char beginnings[][4] = {{0, 1, 0, 0}, {'t', 'r', 'u', 'e'}, {'O', 'T', 'T', 'O'}, {'t', 't', 'c', 'f'}};
  if (byte_count < sizeof beginnings[0]) return 0;
  for (size_t index = 0; index < sizeof beginnings / sizeof *beginnings; index++)
    if (memcmp(bytes, beginnings[index], sizeof beginnings[index]) == 0) return 1;
  return 0;
}

static FT_Error open_face(struct font_set *set, const char *driver, const void *bytes, size_t byte_count, FT_Face *face) {
  FT_Open_Args arguments = {.flags = FT_OPEN_MEMORY | FT_OPEN_DRIVER,
                            .memory_base = bytes,
                            .memory_size = (FT_Long)byte_count,
                            .driver = FT_Get_Module(set->library, driver)};
  return arguments.driver == NULL ? FT_Err_Out_Of_Memory : FT_Open_Face(set->library, &arguments, 0, face);
}

enum font_result font_set_add(struct font_set *set, const void *bytes, size_t byte_count) {
  if (set->face_count == FONT_MOST_FACES) return FONT_MEMORY_FULL;
  if (!is_outline_font(bytes, byte_count)) return FONT_DAMAGED;
  FT_Face face;
  FT_Error error = open_face(set, "truetype", bytes, byte_count, &face);
  if (error != 0 && error != FT_Err_Out_Of_Memory) error = open_face(set, "cff", bytes, byte_count, &face);
  if (error != 0) return error == FT_Err_Out_Of_Memory ? FONT_MEMORY_FULL : FONT_DAMAGED;
  if (!FT_IS_SCALABLE(face) || face->units_per_EM < 16 || face->charmap == NULL ||
      face->charmap->encoding != FT_ENCODING_UNICODE) {
    FT_Done_Face(face);
    return FONT_DAMAGED;
  }
  set->faces[set->face_count++] = face;
  return FONT_DONE;
}

struct font_letter font_set_find(const struct font_set *set, uint32_t code_point) {
  for (int32_t face = 0; face < set->face_count; face++) {
    uint32_t glyph = FT_Get_Char_Index(set->faces[face], code_point);
    if (glyph != 0) return (struct font_letter){face, glyph};
  }
  return (struct font_letter){-1, 0};
}

int32_t font_set_advance(const struct font_set *set, struct font_letter letter, uint32_t size) {
  FT_Face face = set->faces[letter.face];
  FT_Fixed advance = 0;
  if (FT_Get_Advance(face, letter.glyph, FT_LOAD_NO_SCALE, &advance) != 0) return 0;
  return (int32_t)FT_MulDiv(advance, (FT_Long)size * unit_count, face->units_per_EM);
}

/// A letter's outline at a size; NULL if it has none, with the reason in `result`.
static FT_Outline *load(struct font_set *set, struct font_letter letter, uint32_t size, enum font_result *result) {
  FT_Face face = set->faces[letter.face];
  FT_Error error = FT_Load_Glyph(face, letter.glyph, FT_LOAD_NO_SCALE);
  if (error == 0 && face->glyph->format == FT_GLYPH_FORMAT_OUTLINE) {
    FT_Fixed scale = FT_DivFix((FT_Long)size * unit_count, face->units_per_EM);
    FT_Matrix matrix = {.xx = scale, .yy = scale};
    FT_Outline_Transform(&face->glyph->outline, &matrix);
    return &face->glyph->outline;
  }
  *result = error == FT_Err_Out_Of_Memory ? FONT_MEMORY_FULL : FONT_DAMAGED;
  return NULL;
}

enum font_result font_set_draw(struct font_set *set, struct font_letter letter, uint32_t size, uint32_t edge,
                               uint8_t *coverage, size_t byte_count, struct font_ink *ink) {
  enum font_result result = FONT_DONE;
  FT_Outline *outline = load(set, letter, size, &result);
  if (outline == NULL) return result;
  *ink = (struct font_ink){0};
  if (outline->n_contours == 0) return FONT_DONE;
  if (edge > 0) {
    // FreeType emboldens to the right and upwards.
    FT_Pos width = (FT_Pos)edge * unit_count;
    if (FT_Outline_Embolden(outline, 2 * width) != 0) return FONT_DAMAGED;
    FT_Outline_Translate(outline, -width, -width);
  }
  FT_BBox box;
  FT_Outline_Get_CBox(outline, &box);
  FT_Pos left = box.xMin >> 6, bottom = box.yMin >> 6;
  FT_Pos width = ((box.xMax + unit_count - 1) >> 6) - left, height = ((box.yMax + unit_count - 1) >> 6) - bottom;
  if (width <= 0 || height <= 0) return FONT_DONE;
  // Both are less than 2^32: FreeType's coordinates are 16 bits times the largest size.
  if ((uint64_t)width * (uint64_t)height > byte_count) return FONT_TOO_LARGE;
  memset(coverage, 0, (size_t)(width * height));
  FT_Outline_Translate(outline, -left * unit_count, -bottom * unit_count);
  const FT_Bitmap bitmap = {.rows = (unsigned)height,
                            .width = (unsigned)width,
                            .pitch = (int)width,
                            .buffer = coverage,
                            .num_grays = 256,
                            .pixel_mode = FT_PIXEL_MODE_GRAY};
  if (FT_Outline_Get_Bitmap(set->library, outline, &bitmap) != 0) return FONT_DAMAGED;
  *ink = (struct font_ink){(int32_t)left, (int32_t)(bottom + height), (uint32_t)width, (uint32_t)height};
  return FONT_DONE;
}

size_t font_set_peak_byte_count(struct font_set *set) { return fixed_arena_peak_byte_count(&set->arena); }
